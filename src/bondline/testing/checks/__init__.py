"""The checks, one topic a file; each takes a trial and gives its findings."""
