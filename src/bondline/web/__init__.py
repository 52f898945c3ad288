"""The page: a server on this machine that shows models and runs, and starts them.

Importing this package is cheap; `bondline.web.serve` loads the server.
"""
