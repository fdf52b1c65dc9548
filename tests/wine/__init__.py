"""Programs of two systems: these tests run on Linux, and ask one of Windows, which Wine carries."""
