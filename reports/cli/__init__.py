"""The command line."""

from reports.cli import running, reading, measuring, games, files  # noqa: F401, I001  # the commands, in the order of --help
from reports.cli.app import main as main
