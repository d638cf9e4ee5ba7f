"""The engine for numpy: a column for each field, and whatever can be computed on whole columns without any rounding.

columns, grids, floats     how values are laid out, and arithmetic that cannot leave its layout
computed, operations       an expression on columns
arrays, lists, reading     arrays and lists of Python values, checked and laid out
grouping, ranking, sums    keys, ranks and exact sums of a column
canonical, keeping         an order and a form that no carrier changes, and which rows of a person are kept by them
table                      the table that all this serves
"""
