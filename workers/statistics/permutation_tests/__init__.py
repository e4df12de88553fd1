"""Tests that exchange labels or signs, and the smallest p that they can give."""
