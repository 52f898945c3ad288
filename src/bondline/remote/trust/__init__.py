"""Certificates: given, read, used, and explained where they fail."""
