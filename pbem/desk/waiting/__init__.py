"""The things that wait for the player's next entry: words, wishes, a new address."""
