"""Plays one seat, asked on stdin: the child of ``carico bot run --process-per-seat`` (``clients.cli.seat BOT``)."""

import sys

from carico.seat_server import serve
from clients.cli.bot_names import find_bot

if __name__ == "__main__":
    serve(find_bot(sys.argv[1]))
