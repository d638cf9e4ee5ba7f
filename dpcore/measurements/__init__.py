"""Private measurements, one mechanism to a file."""
