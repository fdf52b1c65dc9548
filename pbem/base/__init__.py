"""The foundation: files and the home folder, limits, validation of data, worker processes."""
