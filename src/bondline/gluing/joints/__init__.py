"""What must agree where parts meet."""
