"""What the referee keeps: the match log, and the accounts of bots."""
