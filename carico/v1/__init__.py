"""The contract between bots, organisers, spectators and the referee, made from proto/ by ./dev proto."""
