"""``python -m clients.cli``: the command ``carico`` where no script of that name is installed, and in its children."""

import sys

from clients.cli.main import main

sys.exit(main())
