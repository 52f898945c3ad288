"""A leaf for Bondline, and how model files name it."""

from bondline.build import Kind
from bondline.core import Passport
from my_leaf.leaf import MyLeaf

KIND = Kind(
    Passport(
        "my-leaf",
        "a mass on a hardening spring",
        MyLeaf.declared,
        MyLeaf.ports,
        MyLeaf.capabilities,
    ),
    MyLeaf,
)

__all__ = ["KIND", "MyLeaf"]
