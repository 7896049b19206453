"""Whether all that is kept of a season agrees: plan, ledger, records, voids, closures, chunks, decks, table, store."""
