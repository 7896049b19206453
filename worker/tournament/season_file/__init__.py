"""The season's file, ``season.toml``: text to value, mistakes with line, field and mend, and the template."""

from worker.tournament.season_file.mistakes import Mistake, SeasonFileError
from worker.tournament.season_file.reader import read_season
from worker.tournament.season_file.template import template

__all__ = ["Mistake", "SeasonFileError", "read_season", "template"]
