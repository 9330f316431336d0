"""xylem as a data source of Spark: `spark.read.format("xylem")`."""

from __future__ import annotations

from typing import Any

__all__ = ["DefaultSource", "check"]


def __getattr__(name: str) -> Any:
    """Spark finds `DefaultSource` here. What needs Spark is imported when it is asked for."""
    if name == "DefaultSource":
        from .source import DefaultSource

        return DefaultSource
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
