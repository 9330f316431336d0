"""Streams of Arrow for tests."""

from __future__ import annotations

import io

import pyarrow
import pyarrow.ipc

SCHEMA = pyarrow.schema([("id", pyarrow.int64()), ("title", pyarrow.string())])
ROWS = [[(1, "Xylem"), (2, None)], [(3, "Wood")], [(4, "a tree"), (5, "")]]


def make_stream(rows: list[list[tuple[int, str | None]]] = ROWS) -> bytes:
    """A stream of Arrow with a batch for each list of rows."""
    sink = io.BytesIO()
    with pyarrow.ipc.new_stream(sink, SCHEMA) as writer:
        for batch in rows:
            ids, titles = zip(*batch, strict=True)
            writer.write_batch(pyarrow.record_batch([pyarrow.array(ids), pyarrow.array(titles)], schema=SCHEMA))
    return sink.getvalue()


STREAM = make_stream()
