"""xylem as a data source of Spark: `spark.read.format("xylem")`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .reports import check

if TYPE_CHECKING:
    from .source import DefaultSource

__all__ = ["DefaultSource", "check"]


def __getattr__(name: str) -> Any:
    """Spark finds `DefaultSource` here, by the name of the module. Nothing else needs Spark."""
    if name == "DefaultSource":
        from .source import DefaultSource

        return DefaultSource
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
