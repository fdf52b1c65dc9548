"""What waits for the player's next entry: words, wishes, a new address."""
