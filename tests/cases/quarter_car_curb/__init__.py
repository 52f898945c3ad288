"""A quarter car that strikes a curb: numerics.md 7.3, tier 2."""
