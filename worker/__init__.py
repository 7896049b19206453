"""The worker: schedules seasons, plays their fixtures through the referee and counts the results."""
