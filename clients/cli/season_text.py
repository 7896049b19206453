"""The text of a season's file, looked at before it goes anywhere."""

from pathlib import Path

from clients.cli.failure import BadUsage
from worker.tournament.season import SeasonSpec
from worker.tournament.season_file import SeasonFileError, read_season


def read_file(file: Path) -> tuple[str, SeasonSpec]:
    """The text, and the season it describes. Raises BadUsage: a line for each mistake, with the field and the mend."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise BadUsage(f"{file}: cannot read it: {error.strerror}; `carico season init` writes one") from error
    except UnicodeDecodeError:
        raise BadUsage(f"{file}: this is no text in UTF-8") from None
    try:
        return text, read_season(text, str(file))
    except SeasonFileError as error:
        raise BadUsage(str(error)) from error
