"""Records that are written elsewhere already: as a class, or as the schema of a table.

classes, annotations      the fields of a class, and the domain that an annotation says
drafts, columns, arrow    code to start from, for the columns of a table, by their dtypes alone
"""
