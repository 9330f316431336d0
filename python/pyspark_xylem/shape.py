"""Shapes of xylem as data: which of their fields are read, and what kinds these have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

#: A shape as JSON: fields by their names.
Shape = Mapping[str, Any]


def pruned(shape: Shape, wanted: Iterable[str], seen: Iterable[str] = ()) -> dict[str, Any]:
    """The shape with only the fields that are wanted. Those that conditions see are hidden.

    A field that has the rest needs all other fields, because the rest is what these do not have.
    """
    wanted, seen = set(wanted), set(seen)
    if any(_as_of(shape[name]) == "rest" for name in wanted if name in shape):
        return dict(shape)
    return {
        name: field if name in wanted else _hidden(field)
        for name, field in shape.items()
        if name in wanted or name in seen or _is_hidden(field)
    }


def fields_of(names: Iterable[str], given: Mapping[str, str] | Iterable[str]) -> list[str]:
    """The fields of dumps with these names, as they were given if they were: `by=revision/contributor/username`."""
    pairs = [f"{name}={path}" for name, path in given.items()] if isinstance(given, Mapping) else given
    known = {pair.partition("=")[0].partition(":")[0]: pair for pair in pairs}
    return [known.get(name, name) for name in names]


def kinds_of(shape: Shape) -> dict[tuple[str, ...], str]:
    """The kinds of the single values that conditions can see, by the names that lead to them. Lists and late fields are left out."""
    return dict(_kinds(shape, ()))


def _kinds(shape: Shape, outer: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, field in shape.items():
        if isinstance(field, list) or (isinstance(field, dict) and (field.get("late") or field.get("hidden"))):
            continue
        if isinstance(field, dict) and "fields" in field:
            yield from _kinds(field["fields"], (*outer, name))
        elif (kind := _as_of(field)) in ("string", "integer", "int64", "number", "boolean", "date"):
            yield (*outer, name), kind


def _as_of(field: Any) -> str | None:
    """The kind of a field that is not a record or a list."""
    if isinstance(field, str):
        return "string"
    is_value = isinstance(field, dict) and "fields" not in field and "oneOf" not in field
    return field.get("as", "string") if is_value else None


def _is_hidden(field: Any) -> bool:
    [only] = field if isinstance(field, list) else [field]
    return isinstance(only, dict) and only.get("hidden") is True


def _hidden(field: Any) -> Any:
    if isinstance(field, list):
        return [_hidden(field[0])]
    return {**({"path": field} if isinstance(field, str) else field), "hidden": True}
