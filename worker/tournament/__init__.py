"""Who meets whom, what counts, and the table: pure values and functions.

No clock is read here, no chance drawn, no socket or file opened. Entrants, fixtures and deal sets are numbers from 0,
so that a season can be planned, folded and compared with nothing running.
"""
