"""What goes with the player's next entry: a message, deferred actions, a new address."""
