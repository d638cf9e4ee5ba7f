"""Tables of other libraries: how each is recognised, and how its columns are read. `dpcore.engines.doors` asks here.

    carriers     which library an object belongs to, without importing any, and what reads it
    source       what is asked of whatever holds rows as columns
    polars_columns, pandas_columns    a column of that library as the arrays that `dpcore.engines.numpy` reads
    batched      the table of whatever comes in batches: each goes through the engine of numpy, and only sums are kept

Every library is imported by what reads its objects, when one comes in, and not before.
"""
