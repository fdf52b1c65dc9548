"""What a player has and can do: key, games, orders, plans, and the actions that are signed."""
