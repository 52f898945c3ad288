"""Drive a model through time, keep every accepted window, say how good it is."""
