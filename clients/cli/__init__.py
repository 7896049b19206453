"""The command ``carico``. Each module holds one command or one thing that several share; heavy imports stand inside functions."""
