"""Two rates: a fast part with short windows glued to slow ones with long windows."""
