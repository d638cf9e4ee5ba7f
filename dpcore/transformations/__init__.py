"""Stable transformations, one concept to a file."""
