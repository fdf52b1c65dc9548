"""Play board wargames by e-mail: one signed file, full rules, verifiable draws, no server."""

__version__ = "0.1.0"
__all__ = ["__version__"]
