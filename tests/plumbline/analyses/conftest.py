"""The same runs and the same reader as the pages of single methods have."""

from tests.plumbline.methods.conftest import load, make_run, see, viewer

__all__ = ["load", "make_run", "see", "viewer"]
