"""What mechanism files and structure files have in common."""
