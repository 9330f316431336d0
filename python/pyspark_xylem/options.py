"""The options of a DataFrame: what a user asks for, as `xylem_reader` takes it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from xylem_reader import UsageError

from .paths import find_paths


@dataclass(frozen=True)
class Options:
    """What is to be read, and how."""

    #: The files, and URLs.
    paths: list[str]
    #: What is wanted, as `xylem_reader.read` takes it, or `xylem_reader.parse` if it has a grammar.
    question: dict[str, Any]
    #: How files are cut, as `xylem_reader.plan` takes it.
    cutting: dict[str, Any]
    #: The threads that decompress a range.
    jobs: int | None
    #: The Node to run, on every machine.
    node: str | None
    #: The folder for the reports of ranges.
    reports: str | None
    #: Whether filters of the one query are given to xylem.
    is_pushed: bool

    @property
    def is_parsed(self) -> bool:
        """Whether a grammar says what records are."""
        return "grammar" in self.question

    @property
    def is_dump(self) -> bool:
        """Whether the files are dumps of wikis."""
        return "dump" in self.question


def read_options(given: Mapping[str, str]) -> Options:
    """The options that Spark gives, whose names have no case. Raises a `UsageError` for one that there is not."""
    options = {name: value for key, value in given.items() for name, value in [_read_option(key, value)]}
    paths = find_paths(options.pop("paths", None) or options.pop("path", None) or [])
    if not paths:
        raise UsageError('name the files: load("/data/*.xml.bz2")')
    cutting: dict[str, Any] = {name: options.pop(name) for name in ("cuts", "ranges", "range_size") if name in options}
    jobs, node, reports = (options.pop(name, None) for name in ("jobs", "node", "reports"))
    is_pushed = options.pop("pushdown", False)
    question = {name: value for name, value in options.items() if value is not False or name == "namespaces"}
    if "grammar" in question and (reports is not None or cutting):
        raise UsageError("a file that is read by a grammar is not cut, and there are no reports about it")
    # Pages begin with a tag that stands for nothing else. In other XML it may stand in a comment.
    cutting.setdefault("cuts", "guessed" if "dump" in question else "verified")
    return Options(paths, question, cutting, jobs, node, reports, is_pushed)


def _read_option(key: str, value: str) -> tuple[str, Any]:
    name = _NAMES.get(key.lower().replace("_", "").replace("-", ""))
    if name is None:
        close = difflib.get_close_matches(key.lower(), _NAMES, 1)
        hint = f"; did you mean {_NAMES[close[0]]}?" if close else ""
        raise UsageError(f"there is no option {key}{hint}")
    try:
        return name, _KINDS.get(name, str)(value)
    except ValueError as error:
        raise UsageError(f"the option {key}: {error}") from None


def _flag(text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise ValueError(f"expected true or false, not {text!r}")
    return text.lower() == "true"


def _pushdown(text: str) -> bool:
    """Whether filters are pushed, by one who knows that the DataFrame can be read once only."""
    if text.lower() in ("once", "false"):
        return text.lower() == "once"
    raise ValueError(
        "Spark 4.3 keeps the filters of a query for all other queries of the same DataFrame, which then lack records; "
        'use the option where instead, or say "once" if each DataFrame is read by one query, and once in it'
    )


def _list(text: str) -> Any:
    """A list or an object of JSON, or texts between commas."""
    return json.loads(text) if text.lstrip()[:1] in ("[", "{") else [part.strip() for part in text.split(",")]


def _path(text: str) -> list[str]:
    return [text]


def _shape(text: str) -> Any:
    """An object of JSON, or the path of a file."""
    return json.loads(text) if text.lstrip().startswith("{") else text


def _conditions(text: str) -> Any:
    """A list of JSON, or one condition."""
    return json.loads(text) if text.lstrip().startswith("[") else [text]


def _prefixes(text: str) -> Any:
    """An object of JSON, or pairs such as `a=urn:a b=urn:b`."""
    if text.lstrip().startswith("{"):
        return json.loads(text)
    if not all("=" in pair for pair in text.split()):
        raise ValueError(f"expected pairs such as a=urn:a b=urn:b, not {text!r}")
    return dict(pair.split("=", 1) for pair in text.split())


_KINDS: dict[str, Callable[[str], Any]] = {
    **dict.fromkeys(["all", "check_all_fields", "header", "ignore_case", "infer", "lenient"], _flag),
    **dict.fromkeys(["namespaces", "strict"], _flag),
    **dict.fromkeys(["each", "emit", "fields"], _list),
    **dict.fromkeys(["jobs", "ranges"], int),
    "kinds": _prefixes,
    "path": _path,
    "paths": json.loads,
    "prefixes": _prefixes,
    "pushdown": _pushdown,
    "shape": _shape,
    "where": _conditions,
}
#: The options by their names without case and signs.
_NAMES: dict[str, str] = {
    name.replace("_", ""): name
    for name in [
        *_KINDS,
        *("contributor", "cuts", "dtd", "dump", "encoding", "entities", "entry", "grammar", "ids", "max_retained"),
        *("max_size", "min_size"),
        *(
            "minor",
            "model",
            "nested",
            "node",
            "ns",
            "on_error",
            "range_size",
            "redirects",
            "reports",
            "sample",
            "since",
        ),
        *("title", "titles", "until"),
    ]
}
