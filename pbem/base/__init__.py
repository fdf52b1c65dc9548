"""What everything else stands on: files and the home folder, limits, validation of data, worker processes."""
