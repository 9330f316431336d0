"""Reading in ranges: in many processes, or on many machines."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, cast

import pyarrow

from .errors import UsageError
from .process import run
from .question import Dump, Fields, Option, PathLike, Question, Shape, ask_plan
from .reader import Reader, schema


@dataclass(frozen=True)
class Plan:
    """Inputs in ranges, each of which can be read by itself, anywhere, and more than once."""

    #: The plan and its ranges as `xylem plan` prints them, which `xylem commit` reads.
    text: str
    _node: str | os.PathLike[str] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def digest(self) -> str:
        """The name of the plan: a digest of what is in it."""
        return str(json.loads(self.text.split("\n", 1)[0])["digest"])

    @cached_property
    def ranges(self) -> tuple[str, ...]:
        """The ranges, each as a line for `read_range`."""
        return tuple(self.text.rstrip("\n").split("\n")[1:])

    @cached_property
    def schema(self) -> pyarrow.Schema:
        """The schema of all ranges. Reading the first one is begun for it."""
        with read_range(self.ranges[0], node=self._node) as reader:
            return reader.schema


def plan(
    path: PathLike | Sequence[PathLike],
    *,
    each: str | Sequence[str] | None = None,
    fields: Fields | None = None,
    shape: Shape | PathLike | None = None,
    infer: bool = False,
    dump: Dump | None = None,
    where: str | Sequence[str] | None = None,
    prefixes: Mapping[str, str] | None = None,
    cuts: Literal["guessed", "verified"] | None = None,
    ranges: int | None = None,
    range_size: int | str | None = None,
    node: str | os.PathLike[str] | None = None,
    **options: Option,
) -> Plan:
    """Cuts inputs into ranges that `read_range` reads.

    The arguments are those of `read`, except that `each` has names of elements. Paths are made absolute, because ranges
    are read elsewhere.

    `cuts`: how it is known that ranges fit. "guessed": the plan names each cut, and a range that does not end at the
    next one is an error. "verified": the files are read once for it, at the speed of a check. Without it, the trailers
    of all ranges must be compared (`xylem commit`). `ranges`: into how many each file is cut; `range_size`: bytes of a
    range instead.

    Raises a `XylemError`.
    """
    if infer:
        if shape is not None or fields is not None:
            raise UsageError("infer finds the fields: give neither fields nor shape")
        each, shape = _infer(path, each=each, node=node, options=options)
    settings = {"cuts": cuts, "ranges": ranges, "range_size": range_size}
    question = ask_plan(
        path,
        each=each,
        fields=fields,
        shape=shape,
        dump=dump,
        where=where,
        prefixes=prefixes,
        options={**settings, **options},
    )
    return Plan(run(question, node=node), node)


def read_range(line: str, *, jobs: int | None = None, node: str | os.PathLike[str] | None = None) -> Reader:
    """Reads a range of a plan. `jobs`: threads that decompress bzip2.

    The `trailer` of the reader has `range` at the end, the sealed trailer of `xylem read`: with those of all ranges,
    `xylem commit` proves that everything was read once. Raises a `XylemError`.
    """
    arguments = () if jobs is None else (f"--jobs={jobs}",)
    return Reader(Question("read", arguments, ("-",), accepted=_accepted(line)), line=line, node=node)


#: Options of plans that change what a sample shows, and those of samples alone.
_OF_BOTH, _OF_SAMPLES = ("dtd", "encoding", "entities", "namespaces", "no_namespaces", "nested"), ("sample", "all")


def _infer(
    path: PathLike | Sequence[PathLike],
    each: str | Sequence[str] | None,
    node: str | os.PathLike[str] | None,
    options: dict[str, Option],
) -> tuple[list[str], Shape]:
    """The records and the shape that a sample shows. Takes the options of samples out of the others."""
    sample = {name: options.pop(name) for name in _OF_SAMPLES if name in options}
    both = {name: options[name] for name in _OF_BOTH if name in options}
    found = schema(path, each=each, infer=True, node=node, **sample, **both)
    return json.loads(found.metadata[b"xylem:path"]), cast(Shape, json.loads(found.metadata[b"xylem:shape"]))


def _accepted(line: str) -> frozenset[int]:
    """How reading a range may end: with 1 if its plan skips errors. What the line means otherwise, xylem knows."""
    try:
        on_error = json.loads(line)["question"]["onError"]
    except (KeyError, TypeError, ValueError):
        on_error = "stop"
    return frozenset([0] if on_error == "stop" else [0, 1])
