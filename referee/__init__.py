"""The referee: it owns every match's state and clock."""

from typing import Final

VERSION: Final = "0.1.0"
"""The version of this distribution."""

PROTOCOL: Final = 1
"""The version of the contract that this referee speaks."""
