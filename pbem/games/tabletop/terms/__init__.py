"""What two players agree on before a game: the scenario with its sides, dice, decks and tracks."""
