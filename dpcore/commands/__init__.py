"""The command line: `dpcore verify`, `explain`, `report`, `diff`, `check`, `demo`. Only a terminal calls it."""
