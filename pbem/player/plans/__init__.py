"""Plans: conditional orders, kept at home, which answer when they fit."""
