"""The schema of the library, step by step: see `bondline.library.migrate`."""
