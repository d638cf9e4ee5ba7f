"""For each rule what breaks a side condition of its own, and leaves all else as it was: see [table]."""
