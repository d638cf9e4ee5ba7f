"""Tables of other libraries: how each is recognised, and how its columns are read. `dpcore.engines.doors` asks here.

    carriers     which library an object belongs to, without importing any, and what reads it
    source       what is asked of whatever holds rows as columns
    polars_columns, pandas_columns    tables of that library
    polars_series    a column of polars as the arrays that `dpcore.engines.numpy` reads
    arrow_batches    what a database holds and hands out as batches of Arrow
    duckdb_columns, spark_columns, ibis_columns    how each of them is asked for these
    spark_fetching   rows of Spark that the driver holds with ease
    room, shares     rows that are too many to be held together, so many persons at a time
    batched      the table of whatever comes in batches: each goes through the engine of numpy, and only sums are kept

Every library is imported by what reads its objects, when one comes in, and not before.
"""
