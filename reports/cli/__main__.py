"""``python -m reports.cli`` is ``komi``."""

import sys

from reports.cli import main

sys.exit(main())
