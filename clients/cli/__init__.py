"""The command ``carico``. Each module holds one command, or one thing that several share.

Heavy imports stand inside the functions that need them, so that help comes at once.
"""
