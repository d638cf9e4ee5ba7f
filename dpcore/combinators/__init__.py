"""Measurements made of measurements, one way to a file."""
