"""The dashboard: a league in the browser, read-only."""
