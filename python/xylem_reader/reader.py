"""Reading XML, dumps of wikis, and text of a grammar, as batches of records."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from typing import Any, cast

import pyarrow
import pyarrow.ipc

from .process import Process
from .question import Dump, Fields, Option, PathLike, Question, Shape, ask_parse, ask_read
from .stream import Stream


class Reader(pyarrow.ipc.RecordBatchStreamReader):
    """A `pyarrow.RecordBatchReader` of what xylem reads, batch by batch, in bounded memory.

    The last batch is given out only if everything was read and has arrived; otherwise an error is raised. A reader that
    is closed, left by `with`, or dropped, leaves no process.
    """

    def __init__(
        self, question: Question, *, line: str | None = None, node: str | os.PathLike[str] | None = None
    ) -> None:
        self._stream = Stream(Process(question, line=line, node=node))
        try:
            super().__init__(cast(io.IOBase, self._stream))
        except BaseException:
            self._stream.close()
            raise

    @property
    def trailer(self) -> dict[str, Any] | None:
        """What xylem says at the end, such as the number of records (`rows`); None before the last batch."""
        return self._stream.trailer

    def close(self) -> None:
        """Ends the process if it runs. What was not read is not read any more."""
        self._stream.close()


def read(
    path: PathLike | Sequence[PathLike],
    *,
    each: str | Sequence[str] | None = None,
    fields: Fields | None = None,
    shape: Shape | PathLike | None = None,
    infer: bool = False,
    dump: Dump | None = None,
    where: str | Sequence[str] | None = None,
    prefixes: Mapping[str, str] | None = None,
    limit: int | None = None,
    node: str | os.PathLike[str] | None = None,
    **options: Option,
) -> Reader:
    """Reads elements of XML documents, or pages or revisions of dumps of wikis, as records.

    `path`: a file, a URL, a member of a zip archive (`a.zip/MEMBER`), a pattern (`data/*.xml.bz2`), or several of them.
    Files may be compressed by gzip, bzip2, zstd or xz.

    `each`: the elements that are records, by their path, or by several. `fields`: the values of a record, as a list of
    `"name=path"` or as a mapping of names to paths, where a name may have a kind: `{"size:integer": "@size"}`. `shape`:
    the same as data, or in a file of JSON. `infer=True`: all that is in the records, which a sample shows. `where`:
    conditions such as `"size>10000"`. `prefixes`: namespaces by the prefixes that stand for them in paths.

    `dump`: "pages" or "revisions" of dumps. `fields` are the names of fields then.

    `limit`: the largest number of records. `node`: the Node to run. All other options are those of `xylem select`,
    `xylem pages` and `xylem revisions`, with `_` instead of `-`: `ns=[0, 10]`, `redirects="out"`,
    `on_error="skip-page"`, `lenient=True`.

    Raises a `XylemError`.
    """
    question = ask_read(
        path,
        each=each,
        fields=fields,
        shape=shape,
        infer=infer,
        dump=dump,
        where=where,
        prefixes=prefixes,
        limit=limit,
        options=options,
    )
    return Reader(question, node=node)


def parse(
    path: PathLike | Sequence[PathLike],
    *,
    grammar: PathLike,
    emit: str | Sequence[str] | None = None,
    fields: Sequence[str] | None = None,
    kinds: Mapping[str, str] | None = None,
    limit: int | None = None,
    node: str | os.PathLike[str] | None = None,
    **options: Option,
) -> Reader:
    """Reads text by a grammar, as records.

    `path`: as for `read`. `grammar`: a file, or one that comes along, such as `"@combined"`. `emit`: the rules whose
    values are the records. `fields`: only these fields, in this order. `kinds`: what texts are, by rules or fields:
    `{"status": "integer"}`. `limit` and `node`: as for `read`. All other options are those of `xylem parse`:
    `entry="line"`, `header=True`.

    Raises a `XylemError`.
    """
    question = ask_parse(path, grammar=grammar, emit=emit, fields=fields, kinds=kinds, limit=limit, options=options)
    return Reader(question, node=node)


def schema(path: PathLike | Sequence[PathLike], **question: Any) -> pyarrow.Schema:
    """The schema of what `read`, or with `grammar` `parse`, would give for the same arguments. No records are read.

    With `infer=True` a sample is read. The metadata `xylem:shape` has the shape of elements as JSON.
    """
    ask = parse if "grammar" in question else read
    with ask(path, **{**question, "limit": 0}) as reader:
        reader.read_all()
        return reader.schema
