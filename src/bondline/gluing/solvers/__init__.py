"""Ways to close the gap."""
