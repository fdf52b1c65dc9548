"""Games against the program, and the demonstration."""
