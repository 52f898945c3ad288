"""Two rates: a fast part with short windows glued to slow ones with long windows.

Equations without a paper are those of docs/theory/two_rates.md.
"""
