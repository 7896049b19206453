"""Commands whose last bot may be a program: what stands after ``--`` is its command line."""

import shlex

import typer
from typer.core import TyperCommand

from clients.cli.bot_names import COMMAND


class EndsInProgram(TyperCommand):
    """A command that takes ``... -- PROGRAM ARGUMENT...`` for one more BOT, ``cmd:PROGRAM ARGUMENT...``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """See TyperCommand."""
        if "--" in args:
            at = args.index("--")
            args = [*args[:at], COMMAND + shlex.join(args[at + 1 :])]
        return super().parse_args(ctx, args)
