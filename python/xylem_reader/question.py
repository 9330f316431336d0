"""What is wanted of xylem, as the arguments of its command line."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from .errors import UsageError

#: A file, a URL, a pattern, or the name of something that xylem knows.
PathLike: TypeAlias = "str | os.PathLike[str]"
#: The fields of a record, as names or `name=path`, or by their names.
Fields: TypeAlias = "Sequence[str] | Mapping[str, str]"
#: The fields of a record as data (docs/xml.md).
Shape: TypeAlias = "Mapping[str, Any]"
Dump: TypeAlias = Literal["pages", "revisions"]
#: The value of an option of the command line.
Option: TypeAlias = "str | int | float | bool | datetime.date | os.PathLike[str] | Sequence[str | int] | None"

#: Options of the command line that would print something else, or elsewhere.
REFUSED = frozenset(["check", "format", "help", "list_fields", "output", "resume", "version"])
#: Options that are arguments of functions, by what they are called there.
ARGUMENTS = {"as": "kinds", "field": "fields", "path": "each", "prefix": "prefixes", "revisions": "dump"}
#: Options that are written `--no-…` where they are False.
NEGATED = frozenset(["namespaces", "warnings"])


@dataclass(frozen=True)
class Question:
    """A command of xylem with its arguments."""

    command: str
    arguments: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    #: A shape that is not in a file.
    shape: Shape | None = None
    #: How xylem may end: with 1 also if errors are skipped on demand.
    accepted: frozenset[int] = frozenset([0])

    def command_line(self, shape: str | None) -> list[str]:
        """The command and its arguments. `shape`: the file that has the shape now."""
        shapes = [] if shape is None else [f"--shape={shape}"]
        return [self.command, *shapes, *self.arguments, "--", *self.inputs]


def ask_read(
    path: PathLike | Sequence[PathLike],
    *,
    each: str | Sequence[str] | None,
    fields: Fields | None,
    shape: Shape | PathLike | None,
    infer: bool,
    dump: Dump | None,
    where: str | Sequence[str] | None,
    prefixes: Mapping[str, str] | None,
    limit: int | None,
    options: Mapping[str, Option],
) -> Question:
    """What `read` wants: a command `select`, `pages` or `revisions`."""
    command: str = "select" if dump is None else dump
    inputs = [*_inputs(path)]
    arguments = [*_ALWAYS, *_option("limit", limit), *_options(options)]
    if dump is not None:
        _require_dump(dump, each=each, shape=shape, infer=infer, where=where, prefixes=prefixes)
        arguments += _option("fields", None if fields is None else [*_fields(fields)])
    else:
        elements = _texts(each)
        _require_records(elements, fields, shape, infer)
        if infer:
            arguments += ["--infer", *_repeated("each", elements)]
        else:
            inputs.insert(0, elements[0])
            arguments += _repeated("path", elements[1:])
        arguments += _of_records(fields, shape, where, prefixes)
    return Question(command, (*arguments,), (*inputs,), _data(shape), _accepted(options))


def ask_parse(
    path: PathLike | Sequence[PathLike],
    *,
    grammar: PathLike,
    emit: str | Sequence[str] | None,
    fields: Sequence[str] | None,
    kinds: Mapping[str, str] | None,
    limit: int | None,
    options: Mapping[str, Option],
) -> Question:
    """What `parse` wants."""
    arguments = [
        *_ALWAYS,
        f"--grammar={os.fspath(grammar)}",
        *_option("emit", emit),
        *_option("fields", fields),
        *_repeated("as", _pairs(kinds)),
        *_option("limit", limit),
        *_options(options),
    ]
    return Question("parse", (*arguments,), (*_inputs(path),))


def ask_plan(
    path: PathLike | Sequence[PathLike],
    *,
    each: str | Sequence[str] | None,
    fields: Fields | None,
    shape: Shape | PathLike | None,
    dump: Dump | None,
    where: str | Sequence[str] | None,
    prefixes: Mapping[str, str] | None,
    options: Mapping[str, Option],
) -> Question:
    """What `plan` wants."""
    arguments = [_FORMAT, *_options(options)]
    if dump is not None:
        _require_dump(dump, each=each, shape=shape, where=where, prefixes=prefixes)
        arguments += ["--revisions"] if dump == "revisions" else []
        arguments += _option("fields", None if fields is None else [*_fields(fields)])
    else:
        elements = _texts(each)
        _require_records(elements, fields, shape, False)
        arguments += [*_option("each", elements), *_of_records(fields, shape, where, prefixes)]
    # Ranges are read in other processes, with other current folders.
    inputs = (input if _URL.match(input) else os.path.abspath(input) for input in _inputs(path))
    return Question("plan", (*arguments,), (*inputs,), _data(shape))


_FORMAT = "--format=arrows"
#: That nothing was found is a warning: a table without rows is one.
_ALWAYS = (_FORMAT, "--allow-empty", "--quiet")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


def _inputs(path: PathLike | Sequence[PathLike]) -> Iterator[str]:
    paths = [path] if isinstance(path, (str, os.PathLike)) else list(path)
    if not paths:
        raise UsageError("name at least one input")
    for each in paths:
        if not isinstance(each, (str, os.PathLike)):
            raise TypeError(f"an input is a path or a URL, not {type(each).__name__}")
        input = os.fspath(each)
        if input in ("", "-"):
            raise UsageError(f"{input!r} is not an input: standard input cannot be read")
        yield input


def _require_dump(dump: str, **others: Any) -> None:
    if dump not in get_args(Dump):
        raise UsageError(f'dump is "pages" or "revisions", not {dump!r}')
    given = next((name for name, value in others.items() if value), None)
    if given:
        raise UsageError(
            f'{given} is for other XML than dumps; pages are chosen by options such as ns=[0], redirects="out"'
        )


def _require_records(elements: Sequence[str], fields: Fields | None, shape: Any, infer: bool) -> None:
    if infer and (fields is not None or shape is not None):
        raise UsageError("infer finds all fields; it goes with neither fields nor shape")
    if not infer and not elements:
        raise UsageError('say what records are: each="row" with fields or shape, infer=True, or dump="pages"')
    if not infer and fields is None and shape is None:
        raise UsageError('say what is in records: fields=["title"] or shape={"title": "title"}')


def _of_records(
    fields: Fields | None,
    shape: Shape | PathLike | None,
    where: str | Sequence[str] | None,
    prefixes: Mapping[str, str] | None,
) -> Iterator[str]:
    yield from _repeated("field", [] if fields is None else _fields(fields))
    if isinstance(shape, (str, os.PathLike)):
        yield f"--shape={os.fspath(shape)}"
    yield from _repeated("where", _texts(where))
    yield from _repeated("prefix", _pairs(prefixes))


def _fields(fields: Fields) -> Iterator[str]:
    if isinstance(fields, str):
        raise TypeError("fields is a list or a mapping, not a text")
    return _pairs(fields) if isinstance(fields, Mapping) else iter(fields)


def _data(shape: Shape | PathLike | None) -> Shape | None:
    return shape if isinstance(shape, Mapping) else None


def _accepted(options: Mapping[str, Option]) -> frozenset[int]:
    return frozenset([0] if options.get("on_error", "stop") in ("stop", None) else [0, 1])


def _pairs(values: Mapping[str, str] | None) -> Iterator[str]:
    return (f"{name}={value}" for name, value in (values or {}).items())


def _texts(given: str | Sequence[str] | None) -> Sequence[str]:
    return [] if given is None else [given] if isinstance(given, str) else list(given)


def _repeated(name: str, values: Iterable[str]) -> Iterator[str]:
    return (f"--{name}={value}" for value in values)


def _options(options: Mapping[str, Option]) -> Iterator[str]:
    for name, value in options.items():
        if name in REFUSED:
            raise UsageError(f"{name} is not an option here: records are given to the program")
        if name in ARGUMENTS:
            raise UsageError(f"{name} is called {ARGUMENTS[name]} here")
        yield from _option(name, value)


def _option(name: str, value: Option) -> Iterator[str]:
    """An option as it is written: nothing if it is None. Whether xylem has it, xylem says."""
    option = name.replace("_", "-")
    if value is True:
        yield f"--{option}"
    elif value is False:
        if name in NEGATED:
            yield f"--no-{option}"
    elif value is not None:
        yield f"--{option}={_text(name, value)}"


def _text(name: str, value: Any) -> str:
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise UsageError(f"{name}: a time needs a time zone, such as datetime.UTC")
        return value.astimezone(datetime.timezone.utc).isoformat(timespec="seconds").replace("+00:00", "Z")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        texts = [str(one) for one in value]
        # No title contains |, and a list that begins with it is not the name of a file.
        return "".join(f"|{text}" for text in texts) if name == "titles" else ",".join(texts)
    if isinstance(value, (str, int, float)):
        return str(value)
    raise TypeError(f"{name}: {type(value).__name__} is not the value of an option")
