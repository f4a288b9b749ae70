"""Studies, statistics, tables, plots, report pages and the command line.

The names below are the API: ``run_study("sea")`` plays, `reports.tables` and `reports.plots` show.
"""

from reports.results import Results, run_study
from reports.study import Study, load_study

__all__ = ["Results", "Study", "load_study", "run_study"]
