"""Drive a model through time, keep every accepted window, say how good it is."""

from bondline.run.audience import Flushing
from bondline.run.certificate import Balance, Certificate, certify
from bondline.run.compare import Comparison, Difference, Tolerance, compare
from bondline.run.create import create
from bondline.run.export import csv_lines, write_csv
from bondline.run.fingerprint import fingerprint, versions
from bondline.run.grid import Grid
from bondline.run.keep import Keep
from bondline.run.plan import Plan
from bondline.run.results import Results
from bondline.run.resume import Continued, Watch, begin, resume
from bondline.run.shelf import all_runs, find, open_run, summaries
from bondline.run.signals import About, gather
from bondline.run.simulate import Outcome, simulate
from bondline.run.store import Event, Run, Summary
from bondline.run.table import Table, read_csv
from bondline.run.verify import Verdict, verify
from bondline.run.writer import Commits

__all__ = [
    "About",
    "Balance",
    "Certificate",
    "Commits",
    "Comparison",
    "Continued",
    "Difference",
    "Event",
    "Flushing",
    "Grid",
    "Keep",
    "Outcome",
    "Plan",
    "Results",
    "Run",
    "Summary",
    "Table",
    "Tolerance",
    "Verdict",
    "Watch",
    "all_runs",
    "begin",
    "certify",
    "compare",
    "create",
    "csv_lines",
    "find",
    "fingerprint",
    "gather",
    "open_run",
    "read_csv",
    "resume",
    "simulate",
    "summaries",
    "verify",
    "versions",
    "write_csv",
]
