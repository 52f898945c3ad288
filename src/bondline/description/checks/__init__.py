"""One question a file; each yields problems and changes nothing."""
