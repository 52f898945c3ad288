"""Meshes of gmsh."""
