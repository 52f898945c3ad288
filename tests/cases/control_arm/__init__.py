"""A suspension arm under an abusive pulse: numerics.md 7.3, tier 1."""
