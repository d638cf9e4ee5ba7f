"""Questions asked one after another, and an account of what they cost: filters, odometers, curators and their ledgers."""
