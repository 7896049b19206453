"""The store: the truth of a season. Celery only wakes workers; what was leased, played and counted stands here.

``port`` holds the promises, ``values`` what goes in and out, ``redis`` and ``memory`` keep them, ``open`` picks one by
its URL and ``embedded`` runs a private server for a league on one machine.
"""
