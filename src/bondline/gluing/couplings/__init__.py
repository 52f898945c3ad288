"""Which interface quantities are guessed and which are compared."""
