"""Messages and the words of `core`, each made from the other."""
