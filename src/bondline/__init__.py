"""Glue simulation models at their interfaces; behave as one model."""

__version__ = "0.1.0"
