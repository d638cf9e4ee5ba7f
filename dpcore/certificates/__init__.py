"""Certificates: the derivation of a bound as data, for an auditor who does not have dpcore."""
