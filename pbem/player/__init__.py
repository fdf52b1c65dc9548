"""What a player has and may do: key, games, orders, plans, and the actions that are signed."""
