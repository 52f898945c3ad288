"""Many windows in one exchange: docs/theory/blocks.md."""
