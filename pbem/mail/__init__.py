"""Mail: messages to games and back, and the only rooms that open a connection."""
