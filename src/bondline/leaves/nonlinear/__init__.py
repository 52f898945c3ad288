"""Nonlinear finite elements: large displacements and rotations, plasticity, rubber."""
