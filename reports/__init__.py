"""Studies, statistics, tables, plots, report pages and the command line.

The names below are the API: ``run_study("sea")`` plays, `reports.tables` and `reports.plots` show.
"""

from reports.play.results import Results
from reports.play.run import run_study
from reports.studies.study import Study, load_study

__all__ = ["Results", "Study", "load_study", "run_study"]
