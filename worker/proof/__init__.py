"""Files of an export against themselves and each other: what follows from them must agree.

Nothing else is asked: no store, no referee, no secret. Lines are read one after the other, and only one deal set of
records is kept at a time. Nothing here opens a file.
"""
