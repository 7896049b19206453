"""What people and bots touch: the command line and the house bots."""
