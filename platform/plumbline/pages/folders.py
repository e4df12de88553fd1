"""Addresses of the pages of analyses and methods, from the module `urls` of each folder."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from plumbline.spec.registry import FOLDERS


def pages_of_analyses_and_methods() -> list[ModuleType]:
    """Return the modules of addresses: analyses first, then the registered methods, without repetition."""
    analyses = import_module("plumbline.analyses")
    names = [f"{analyses.__name__}.{one.name}.urls" for one in iter_modules(analyses.__path__)]
    methods = {folders.platform: folders.part("urls") for folders in FOLDERS.values()}
    return [*map(import_module, names), *filter(None, methods.values())]
