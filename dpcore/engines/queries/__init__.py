"""Tables that answer by one query of their engine: filter, expressions, keys, sums, and the checks of membership with them.

dialect      what an engine has words for: a few operations, each exact, named by what it means
words        an expression of the engine, and what is known of its values: their grid, their bounds
operations   each operation of row expressions in those words, or None where it cannot be said exactly
by_value     ranks among few values, of which each is counted
membership   how columns are read as members of a domain, and the aggregates that show whether they are
asking       what is asked of all rows and of those of each key, with the checks
ahead        what is asked together with what will be asked
choosing     the rows that a key keeps of each person
table        the table itself; what its engine has no words for goes the way of batches, `dpcore.engines.frames`
polars       the dialect of polars
sql          what the dialects of SQL have in common; duckdb and spark are two of them
"""
