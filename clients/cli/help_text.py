"""What help pages have in common."""


def examples(*lines: str) -> str:
    """The end of a command's help: how it is called, a line each, kept as they are."""
    listed = "\n".join(f"  {line}" for line in lines)
    return f"\b\nExample{'s' if len(lines) > 1 else ''}:\n{listed}"
