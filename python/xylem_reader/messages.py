"""What xylem prints on standard error: messages for people, and the trailer as the last line."""

from __future__ import annotations

import json
import threading
from typing import IO, Any

#: Bytes of messages that are kept: of a million warnings, the first ones.
_MOST = 64 * 1024
#: The longest line that is read as one.
_LONGEST_LINE = 256 * 1024 * 1024
_PREFIX = "xylem: "


class Messages:
    """The lines of standard error, which a thread of its own reads, so that xylem never waits until they are read."""

    def __init__(self, pipe: IO[bytes], mark: str) -> None:
        """`mark`: the trailer begins with it. Only this process and xylem know it."""
        self._mark = mark.encode() + b" "
        self._lines: list[bytes] = []
        self._size = 0
        self._trailers: list[bytes] = []
        self._is_last = False
        self._thread = threading.Thread(target=self._listen, args=(pipe,), name="xylem-messages", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Waits until everything is read."""
        self._thread.join()

    def trailer(self) -> dict[str, Any]:
        """The trailer, if it is there once and right. Raises a `ValueError` that says what is wrong with it."""
        if not self._trailers:
            raise ValueError("the trailer is missing")
        if len(self._trailers) > 1:
            raise ValueError("there are several trailers")
        if not self._is_last:
            raise ValueError("the trailer is not the last line")
        try:
            trailer = json.loads(self._trailers[0])
        except ValueError as error:
            raise ValueError("the trailer is not JSON") from error
        if not isinstance(trailer, dict) or not isinstance(trailer.get("exitCode"), int):
            raise ValueError("the trailer has no exit code")
        return trailer

    def texts(self) -> list[str]:
        """The messages, of one or several lines each. At most some 64 KiB of them are kept."""
        texts: list[str] = []
        for line in filter(None, b"".join(self._lines).decode(errors="replace").split("\n")):
            if line.startswith(_PREFIX) or not texts:
                texts.append(line.removeprefix(_PREFIX))
            else:
                texts[-1] += "\n" + line
        return texts

    def _listen(self, pipe: IO[bytes]) -> None:
        with pipe:
            while line := pipe.readline(_LONGEST_LINE):
                self._is_last = line.startswith(self._mark)
                if self._is_last:
                    self._trailers.append(line[len(self._mark) :])
                elif self._size < _MOST:
                    self._lines.append(line[:_MOST])
                    self._size += len(line)
