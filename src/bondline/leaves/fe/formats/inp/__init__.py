"""Abaqus and CalculiX decks."""
