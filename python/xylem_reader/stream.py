"""What xylem prints, as a file that Arrow reads."""

from __future__ import annotations

import struct
from collections import deque
from typing import Any

import pyarrow

from .process import Process

#: A message begins with these bytes and the length of its metadata; no length marks the end of the stream.
_BEGIN = b"\xff\xff\xff\xff"
_END = _BEGIN + b"\0\0\0\0"
#: What a message has (`MessageHeader` in Message.fbs of Arrow).
_SCHEMA, _RECORD_BATCH = 1, 3


class Stream:
    """The messages of a stream of Arrow as a file, one after the other.

    Arrow takes a stream that was cut between two batches for complete. So a batch is given out only if another one
    follows, or if the mark of the end is there and the process, its trailer and the numbers of bytes and records agree.
    """

    def __init__(self, process: Process) -> None:
        self.closed = False
        #: What xylem says at the end; None until then.
        self.trailer: dict[str, Any] | None = None
        self._process = process
        #: What was read and is not given out yet.
        self._pieces: deque[pyarrow.Buffer] = deque()
        #: The beginning of the next message, if it was read.
        self._next: bytes | None = None
        self._size = 0
        self._rows = 0
        self._error: Exception | None = None

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process if it runs."""
        self.closed = True
        self._pieces.clear()
        self._process.close()

    def readable(self) -> bool:
        """Whether this is a file for reading."""
        return True

    def read(self, size: int) -> bytes:
        """The next bytes: `size` of them, or fewer at the end."""
        return self.read_buffer(size).to_pybytes()

    def read_buffer(self, size: int) -> pyarrow.Buffer:
        """The next bytes, as `read`. The values of a batch, for which Arrow asks at once, are not copied."""
        taken = []
        while size > 0 and (self._pieces or self._advance()):
            piece = self._pieces.popleft()
            if piece.size > size:
                self._pieces.appendleft(piece.slice(size))
                piece = piece.slice(0, size)
            taken.append(piece)
            size -= piece.size
        return taken[0] if len(taken) == 1 else pyarrow.py_buffer(b"".join(taken))

    def _advance(self) -> bool:
        """Reads the next message, or the mark of the end. Returns whether there was one."""
        if self._error is not None:
            raise self._error
        if self.closed:
            raise ValueError("the reader is closed")
        if self.trailer is not None and self._next is None:
            return False
        try:
            self._read_message()
        except Exception as error:
            self._error = error
            self.close()
            raise
        except BaseException:
            self.close()
            raise
        return True

    def _read_message(self) -> None:
        prefix = self._next or self._read_prefix()
        self._next = None
        self._pieces.append(pyarrow.py_buffer(prefix))
        if prefix == _END:
            return
        metadata = self._read(int.from_bytes(prefix[4:], "little"))
        kind, size, rows = self._describe(metadata)
        values = self._read(size)
        if kind == _RECORD_BATCH:
            self._rows += rows
        if kind != _SCHEMA:
            self._next = self._read_prefix()
        self._pieces.extend((metadata, values))

    def _read_prefix(self) -> bytes:
        prefix = self._read(len(_END)).to_pybytes()
        if prefix == _END:
            self.trailer = self._process.settle(self._size, self._rows)
        elif not prefix.startswith(_BEGIN) or prefix[-1] >= 0x80:
            self._refuse()
        return prefix

    def _read(self, size: int) -> pyarrow.Buffer:
        buffer = pyarrow.allocate_buffer(size)
        # A file that waits reads until everything is there, unless it ends before.
        count = self._process.stdout.readinto(memoryview(buffer)) if size > 0 else 0
        self._size += count
        if count < size:
            # The error that has ended the process, if it says one.
            self._process.settle(self._size, problem="the stream ends before its mark of the end")
        return buffer

    def _describe(self, metadata: pyarrow.Buffer) -> tuple[int, int, int]:
        """The kind of a message, the size of its values, and its number of records."""
        try:
            return _parse_message(memoryview(metadata))
        except struct.error:
            self._refuse()
            raise

    def _refuse(self) -> None:
        """Raises an error. The process may wait until more is read, so it is soon killed."""
        self._process.settle(self._size, problem="what was printed is not a stream of Arrow", patience=1)


def _parse_message(metadata: memoryview) -> tuple[int, int, int]:
    """Reads what is needed of `Message` and `RecordBatch` (Message.fbs of Arrow), which are tables of FlatBuffers."""
    [message] = struct.unpack_from("<I", metadata)
    kind = _read_field(metadata, message, 1, "<B")
    size = _read_field(metadata, message, 3, "<q")
    if kind != _RECORD_BATCH:
        return kind, size, 0
    header = message + _find_field(metadata, message, 2)
    batch = header + struct.unpack_from("<I", metadata, header)[0]
    return kind, size, _read_field(metadata, batch, 0, "<q")


def _find_field(metadata: memoryview, table: int, index: int) -> int:
    """The place of a field in its table; 0 if it is absent, because it is zero."""
    vtable = table - struct.unpack_from("<i", metadata, table)[0]
    [size] = struct.unpack_from("<H", metadata, vtable)
    slot = 4 + 2 * index
    return struct.unpack_from("<H", metadata, vtable + slot)[0] if slot < size else 0


def _read_field(metadata: memoryview, table: int, index: int, form: str) -> int:
    place = _find_field(metadata, table, index)
    return struct.unpack_from(form, metadata, table + place)[0] if place else 0
