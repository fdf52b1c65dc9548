"""Plans: conditional orders, kept at home, which are given when their conditions hold."""
