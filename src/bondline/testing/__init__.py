"""The conformance kit: whether a leaf does what it declares."""

from bondline.testing.kit import CHECKS, assert_conforms, check_leaf
from bondline.testing.report import Finding, Report

__all__ = ["CHECKS", "Finding", "Report", "assert_conforms", "check_leaf"]
