"""Accounts that survive the process: every charge is on the disk before it is said to be charged. See docs/ledger.md."""
