"""Multibody models: rigid and flexible bodies in joint and modal coordinates."""
