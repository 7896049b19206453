"""What the naive engine says where a record and the pages differ."""


class Deviation(Exception):
    """The record says something that the pages do not allow; `field` is the part of the record that says it."""

    def __init__(self, field, message):
        super().__init__(f"{field}: {message}")
        self.field = field


def expect(field, told, found):
    """Raise Deviation where the record tells one thing and the pages another."""
    if told != found or type(told) is not type(found):
        raise Deviation(field, f"the record has {told!r}, the pages give {found!r}")
