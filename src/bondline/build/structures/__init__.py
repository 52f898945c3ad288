"""Nonlinear finite-element structures from files."""
