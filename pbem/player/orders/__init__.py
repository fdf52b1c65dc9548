"""Orders in the making: typed, tried, gathered, and what may be ordered."""
