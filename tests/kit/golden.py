"""Golden texts of deals: their comments, heads and actions are read, everything else is worked out and compared."""

from carico.rules.notation import deal_text, parse_deal


def retold(text: str) -> str:
    """The golden text as this version tells it."""
    comments = [line for line in text.splitlines() if line.startswith("#")]
    return "".join(f"{line}\n" for line in comments) + deal_text(parse_deal(text))
