"""Parts that other programs compute, as leaf files name them."""
