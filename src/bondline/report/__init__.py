"""Reports: figures, the HTML page and animations of a run, all from values.

Importing this package is cheap; its modules `figures`, `html`, `animate` and `picture`
load the drawing libraries.
"""
