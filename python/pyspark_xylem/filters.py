"""Filters of Spark as conditions of xylem. A filter is translated only if both decide alike of every record.

Filters are known by the names of their classes, so that nothing here needs Spark. Sail and Spark 4.0 have no such classes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

#: The kinds of the fields of a shape, by the names that lead to them.
Kinds = Mapping[tuple[str, ...], str]

#: The signs of comparisons.
_SIGNS = {
    "EqualTo": "=",
    "EqualNullSafe": "=",
    "GreaterThan": ">",
    "GreaterThanOrEqual": ">=",
    "LessThan": "<",
    "LessThanOrEqual": "<=",
}
#: A list of more values than this stays with Spark.
_MOST_VALUES = 1000
#: Names that a condition can begin with. Others have signs in them.
_NAME = re.compile(r"[^\s\[\]{}<>=!~.\"][^\[\]{}<>=!~.\"]*(?<!\s)")


class _Comparison(NamedTuple):
    """A filter that compares a field, or asks whether it has a value."""

    name: str
    attribute: tuple[str, ...]
    value: Any
    is_negated: bool


def conditions_of(filter: Any, kinds: Kinds) -> list[str] | None:
    """The conditions that together ask what a filter asks; None if xylem has none that decide alike."""
    name, attribute, value, is_negated = comparison = _comparison_of(filter)
    kind = kinds.get(attribute)
    if kind is None or any(_NAME.fullmatch(part) is None for part in attribute):
        return None
    field = ".".join(attribute)
    if name in ("IsNull", "IsNotNull"):
        return [f"!{field}" if (name == "IsNull") != is_negated else field]
    if name == "In":
        return _listed(field, kind, value, is_negated)
    if kind == "string" and name in _PATTERNS and not is_negated and isinstance(value, str):
        return [f'{field}~"{_PATTERNS[name].format(_escape(value))}"']
    sign = _sign_of(comparison, kind)
    text = _text_of(kind, value)
    return None if sign is None or text is None else [f'{field}{sign}"{text}"']


def only_values(filter: Any, attribute: tuple[str, ...]) -> list[int] | None:
    """The whole numbers of which a filter says that the field has one of them; None if it says something else."""
    name, of, value, is_negated = _comparison_of(filter)
    values = list(value) if name == "In" else [value]
    is_listed = name in ("EqualTo", "EqualNullSafe", "In") and not is_negated and of == attribute
    return values if is_listed and values and all(type(one) is int for one in values) else None


def _comparison_of(filter: Any) -> _Comparison:
    name = type(filter).__name__
    if name != "Not":
        return _Comparison(name, tuple(getattr(filter, "attribute", ())), getattr(filter, "value", None), False)
    inner = _comparison_of(filter.child)
    return inner._replace(is_negated=not inner.is_negated)


_PATTERNS = {"StringStartsWith": "^{}", "StringEndsWith": "{}$", "StringContains": "{}"}


def _sign_of(comparison: _Comparison, kind: str) -> str | None:
    sign = _SIGNS.get(comparison.name)
    if sign == "=":
        # Not(a <=> 1) also holds of records without a value; Not(a = 1) does not.
        is_refused = comparison.is_negated and comparison.name == "EqualNullSafe"
        return None if is_refused else "!=" if comparison.is_negated else "="
    # Spark compares texts by their bytes, xylem by their UTF-16 units.
    return None if comparison.is_negated or kind in ("string", "boolean") else sign


def _listed(field: str, kind: str, values: Iterable[Any], is_negated: bool) -> list[str] | None:
    texts = [_text_of(kind, value) for value in values]
    if not texts or len(texts) > _MOST_VALUES or any(text is None for text in texts):
        return None
    if is_negated:
        return [f'{field}!="{text}"' for text in texts]
    if len(texts) == 1:
        return [f'{field}="{texts[0]}"']
    if kind not in ("string", "integer", "int64"):
        return None
    alternatives = "|".join(_escape(text) for text in texts if text is not None)
    return [f'{field}~"^(?:{alternatives})$"']


def _text_of(kind: str, value: Any) -> str | None:
    """How a value is written in a condition on a field of a kind; None for values that such a field does not have."""
    if kind == "string":
        return value if isinstance(value, str) else None
    if kind == "boolean":
        return str(value).lower() if isinstance(value, bool) else None
    if kind in ("integer", "int64"):
        is_safe = type(value) is int and abs(value) < 2**53
        return str(value) if is_safe else None
    if kind == "number":
        return repr(value) if isinstance(value, float) and math.isfinite(value) else None
    # Dates of xylem have milliseconds.
    is_date = (
        kind == "date" and isinstance(value, datetime) and value.tzinfo is not None and value.microsecond % 1000 == 0
    )
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3].zfill(23) + "Z" if is_date else None


def _escape(text: str) -> str:
    """A regular expression of JavaScript, with the flag `u`, that matches a text."""
    return re.sub(r"[\^$\\.*+?()\[\]{}|/]", r"\\\g<0>", text)
