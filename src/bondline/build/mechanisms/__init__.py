"""Mechanisms from files: our own, URDF, and a part of MJCF."""
