"""Strict reading of plain JSON objects: exactly the fields expected, whole numbers only."""

from collections.abc import Mapping, Sequence
from typing import Any


class BadField(ValueError):
    """A JSON object lacks a field, has one too many, or holds something else in it; the text names the field."""


def only(found: Mapping[str, Any], fields: Sequence[str]) -> None:
    """Raises BadField unless the object has exactly these fields."""
    missing = [field for field in fields if field not in found]
    unknown = [field for field in found if field not in fields]
    if missing or unknown:
        raise BadField(f"fields missing: {missing}, fields unknown: {unknown}")


def whole(found: Mapping[str, Any], field: str, least: int = 0) -> int:
    """The whole number in this field, at least ``least``. Raises BadField; true and 1.0 are no whole numbers."""
    value = found[field]
    if type(value) is not int or value < least:
        raise BadField(f"{field} = {value!r}: must be a whole number of at least {least}")
    return value


def wholes(found: Mapping[str, Any], field: str) -> tuple[int, ...]:
    """The list of whole numbers, of any sign, in this field. Raises BadField."""
    value = found[field]
    if not isinstance(value, (list, tuple)) or any(type(item) is not int for item in value):
        raise BadField(f"{field} = {value!r}: must be a list of whole numbers")
    return tuple(value)


def text(found: Mapping[str, Any], field: str) -> str:
    """The text in this field. Raises BadField."""
    value = found[field]
    if not isinstance(value, str):
        raise BadField(f"{field} = {value!r}: must be a text")
    return value
