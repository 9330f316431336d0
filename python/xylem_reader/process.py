"""A run of xylem: what it prints, and whether that may be believed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import secrets
import subprocess
import sys
import tempfile
import warnings
import weakref
from pathlib import Path
from typing import IO, Any, cast

from .errors import StreamCutError, XylemError, XylemWarning, error_of
from .messages import Messages
from .node import find_node
from .question import Question

#: xylem in one file, with all that it needs. `npm run build` makes it.
_SCRIPT = Path(__file__).with_name("js") / "xylem.mjs"
_PACKAGE = os.path.dirname(__file__)


class Process:
    """One run of xylem. Nothing of what it prints may be believed before `settle` has returned.

    xylem ends as soon as its standard input ends. So it never outlives this process, however that ends.
    """

    def __init__(
        self, question: Question, *, line: str | None = None, node: str | os.PathLike[str] | None = None
    ) -> None:
        """`line`: the first line of standard input, which is open until the end."""
        program = [find_node(node), _find_script()]
        # A process that was forked has copies of all this, and must not end what it has not started.
        self._owner = os.getpid()
        self._accepted = question.accepted
        self._shape = None if question.shape is None else _write_shape(question.shape)
        mark = secrets.token_hex(16)
        try:
            self._child = subprocess.Popen(
                [*program, *question.command_line(self._shape)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**os.environ, "XYLEM_TRAILER": mark},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except BaseException:
            self._remove_shape()
            raise
        # A program that ends does not free all that it has.
        weakref.finalize(self, _end, self._child, self._owner)
        self._stdin = cast(IO[bytes], self._child.stdin)
        self.stdout = cast(io.BufferedReader, self._child.stdout)
        # Its thread knows nothing of this object. So an object that its user drops is freed, and ends the process.
        self._messages = Messages(cast(IO[bytes], self._child.stderr), mark)
        if line is not None:
            # A process that has ended before it has read the line says why at its end.
            with contextlib.suppress(OSError):
                self._stdin.write(line.rstrip("\r\n").encode() + b"\n")
                self._stdin.flush()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._child.pid

    def settle(
        self, size: int, rows: int | None = None, problem: str | None = None, patience: float = 60
    ) -> dict[str, Any]:
        """Waits for the end. Returns the trailer if everything has succeeded; otherwise raises the error.

        `size`: the bytes that have arrived; `rows`: the records in them, if they are records; `problem`: what is wrong
        with them; `patience`: seconds after which a process is killed whose output has ended.
        """
        try:
            if problem is None and self.stdout.read(1):
                problem = "something was printed after the end of the stream"
            exit_code = self._wait(patience)
            error, trailer = self._judge(exit_code, size, rows, problem)
            texts = self._messages.texts()
        finally:
            self.close()
        if error is not None:
            _explain(error, texts)
            raise error
        for text in texts:
            _warn(text)
        return trailer

    def close(self) -> None:
        """Ends the process if it runs, and waits until it has ended. To do so again does nothing."""
        if os.getpid() != self._owner:
            return
        _end(self._child, self._owner)
        self._messages.wait()
        # What was not written yet is of no use to anyone.
        with contextlib.suppress(OSError):
            self._stdin.close()
        self.stdout.close()
        self._remove_shape()

    def _wait(self, patience: float) -> int:
        """The exit code of the process."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(timeout=patience)
        self._child.kill()
        exit_code = self._child.wait()
        self._messages.wait()
        return exit_code

    def _judge(
        self, exit_code: int, size: int, rows: int | None, problem: str | None
    ) -> tuple[XylemError | None, dict[str, Any]]:
        """Whether everything agrees: the exit code, the trailer, and what has arrived."""
        try:
            trailer = self._messages.trailer()
        except ValueError as wrong:
            return _cut(problem or str(wrong), exit_code), {}
        if trailer["exitCode"] != exit_code:
            return _cut(problem or f"the trailer has the exit code {trailer['exitCode']}", exit_code), trailer
        if exit_code not in self._accepted or (exit_code == 0 and "error" in trailer):
            return error_of(exit_code, trailer.get("error")), trailer
        if problem is None and trailer.get("bytes") != size:
            problem = f"{size} bytes have arrived, but the trailer has {trailer.get('bytes')}"
        if problem is None and rows is not None and trailer.get("rows") != rows:
            problem = f"{rows} records have arrived, but the trailer has {trailer.get('rows')}"
        return (None if problem is None else _cut(problem, exit_code)), trailer

    def _remove_shape(self) -> None:
        if self._shape is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._shape)


def run(question: Question, *, node: str | os.PathLike[str] | None = None) -> str:
    """All that a command prints. Raises its error."""
    process = Process(question, node=node)
    try:
        text = process.stdout.read()
        process.settle(len(text))
    finally:
        process.close()
    return text.decode()


def _end(child: subprocess.Popen[bytes], owner: int) -> None:
    """Ends a process, unless this one is a fork of the one that has started it."""
    if os.getpid() == owner and child.poll() is None:
        child.kill()
        child.wait()


def _find_script() -> str:
    """The file that Node runs. Tests may name another one."""
    script = os.environ.get("XYLEM_SCRIPT") or str(_SCRIPT)
    if not os.path.exists(script):
        raise XylemError(f"{script} is missing: in a clone of xylem, run: npm ci && npm run build", code="no-script")
    return script


def _write_shape(shape: Any) -> str:
    """Writes a shape to a file, since command lines are short in some systems. Returns its path."""
    text = json.dumps(shape)
    descriptor, path = tempfile.mkstemp(prefix="xylem-", suffix=".shape.json")
    with open(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def _cut(problem: str, exit_code: int) -> StreamCutError:
    ended = f"was ended by signal {-exit_code}" if exit_code < 0 else f"ended with exit code {exit_code}"
    return StreamCutError(
        f"the records are not complete: {problem} (xylem {ended})", code="stream-cut", exit_code=exit_code
    )


def _warn(text: str) -> None:
    """Warns at the line of the user's program that is running."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(text.removeprefix("warning: "), XylemWarning, stacklevel=level)


def _explain(error: XylemError, texts: list[str]) -> None:
    """Adds what xylem has printed to an error: first what belongs to the error, such as an excerpt of the input."""
    for text in reversed(texts):
        first, _, others = text.partition("\n")
        note = others if str(error) in first else text
        if note:
            error.add_note(note)
