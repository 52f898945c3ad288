"""What left and what came, written down by both sides."""
