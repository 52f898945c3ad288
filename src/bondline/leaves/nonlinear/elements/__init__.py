"""Blocks of nonlinear elements: beams, springs, masses, solids, shells."""
