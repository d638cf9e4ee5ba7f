"""The engine for numpy: a column for each field, and whatever can be computed on whole columns without any rounding.

columns, grids, floats     how values are laid out, and arithmetic that cannot leave its layout
computed, operations       an expression on columns
arrays, lists, reading     arrays and lists of Python values, checked and laid out
grouping, ranking, sums    keys, ranks and exact sums of a column
table                      the table that all this serves
"""
