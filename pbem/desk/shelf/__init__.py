"""What this home has of each game: the logs, what of them has left, and how another file stands to them."""
