"""The messages of a stream as a file, at every cut and in pieces of every size."""

from __future__ import annotations

import io
import random
import unittest
from typing import Any, cast
from unittest import mock

import pyarrow.ipc

from xylem_reader import StreamCutError
from xylem_reader.process import Process
from xylem_reader.stream import Stream

from .streams import ROWS, SCHEMA, STREAM, make_stream


class Pipe(io.RawIOBase):
    """Gives a few bytes at a time."""

    def __init__(self, content: bytes, most: int) -> None:
        self._content = io.BytesIO(content)
        self._most = most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._content.readinto(memoryview(buffer)[: self._most])


def open_stream(content: bytes, most: int = 1 << 20) -> Stream:
    """A stream of a process whose trailer is that of a complete stream."""

    def settle(size: int, rows: int | None = None, problem: str | None = None, **_: float) -> dict[str, Any]:
        if problem or (size, rows) != (len(STREAM), 5):
            raise StreamCutError(problem or "wrong numbers")
        return {"rows": rows}

    process = mock.Mock(stdout=io.BufferedReader(Pipe(content, most)), settle=settle)
    return Stream(cast(Process, process))


def read_ids(stream: Stream) -> tuple[list[int], Exception | None]:
    """The ids that are given out, and the error after them."""
    ids: list[int] = []
    try:
        for batch in pyarrow.ipc.open_stream(cast(io.IOBase, stream)):
            ids += batch.column("id").to_pylist()
    except StreamCutError as error:
        return ids, error
    return ids, None


class Streams(unittest.TestCase):
    """`Stream`."""

    def test_a_stream_arrives_in_pieces_of_any_size(self) -> None:
        for most in (1, 2, 3, 7, 8, 9, 64, 1000):
            with self.subTest(most=most):
                self.assertEqual(read_ids(open_stream(STREAM, most)), ([1, 2, 3, 4, 5], None))

    def test_a_stream_is_read_in_pieces_of_any_size(self) -> None:
        for size in (1, 3, 4, 8, 9, 100, 1 << 20):
            with self.subTest(size=size):
                stream = open_stream(STREAM)
                self.assertEqual(b"".join(iter(lambda: stream.read(size), b"")), STREAM)  # noqa: B023
                self.assertEqual(stream.trailer, {"rows": 5})

    def test_a_stream_that_is_cut_anywhere_never_gives_its_last_batch(self) -> None:
        # A batch is given out if the next message has begun.
        followed = [len(make_stream(ROWS[: count + 1])) for count in range(len(ROWS))]
        for cut in range(len(STREAM)):
            with self.subTest(cut=cut):
                ids, error = read_ids(open_stream(STREAM[:cut], 100))
                self.assertIsInstance(error, StreamCutError)
                count = sum(end <= cut for end in followed)
                self.assertEqual(ids, [1, 2, 3, 4, 5][: sum(map(len, ROWS[:count]))])

    def test_a_byte_that_is_wrong_is_an_error_or_in_a_value(self) -> None:
        for place in range(len(STREAM)):
            with self.subTest(place=place):
                wrong = bytes(byte ^ 0xFF if index == place else byte for index, byte in enumerate(STREAM))
                try:
                    table = pyarrow.ipc.open_stream(cast(io.IOBase, open_stream(wrong))).read_all()
                except (StreamCutError, pyarrow.ArrowException, OSError, MemoryError):
                    continue
                self.assertEqual(table.num_rows, 5)

    def test_batches_of_random_sizes(self) -> None:
        chosen = random.Random(38)
        for _ in range(20):
            rows = [[(i, "x" * chosen.randrange(50)) for i in range(chosen.randrange(1, 90))] for _ in range(9)]
            content = make_stream(rows)
            total = sum(map(len, rows))
            process = mock.Mock(stdout=io.BufferedReader(io.BytesIO(content)))
            with pyarrow.ipc.open_stream(cast(io.IOBase, Stream(process))) as reader:
                self.assertEqual(reader.schema, SCHEMA)
                self.assertEqual(reader.read_all().num_rows, total)
            process.settle.assert_called_once_with(len(content), total)
