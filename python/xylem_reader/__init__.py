"""Reads XML of any size, dumps of wikis, and text of any grammar as batches of Arrow, for pandas, polars and DuckDB."""

from importlib.metadata import PackageNotFoundError, version

from .errors import InputError, NodeMissingError, StreamCutError, UsageError, XylemError, XylemWarning
from .ranges import Plan, plan, read_range
from .reader import Reader, parse, read, schema

__all__ = [
    "InputError",
    "NodeMissingError",
    "Plan",
    "Reader",
    "StreamCutError",
    "UsageError",
    "XylemError",
    "XylemWarning",
    "parse",
    "plan",
    "read",
    "read_range",
    "schema",
]

try:
    __version__ = version("xylem-reader")
except PackageNotFoundError:  # in a clone, where it is not installed
    __version__ = "0"
