"""The command line, above all else: `dpcore verify`, `explain`, `report`, `diff`, `check`. Only a terminal calls it."""
