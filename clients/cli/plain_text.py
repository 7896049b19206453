"""Text from strangers made harmless for a terminal: names of bots and owners may hold anything."""


def plain(text: str) -> str:
    r"""The text on one line, every character that is not for reading shown as its escape (``\x1b``, ``\u202e``).

    Control characters, line breaks, directions of writing and lone surrogates are such; letters of all scripts stay.
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _escape(character) for character in text)


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def counted(number: int, thing: str) -> str:
    """``1 deal``, ``2 deals``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
