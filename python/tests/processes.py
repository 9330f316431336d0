"""Processes that tests start, and whether they have ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

#: Reads, says which process that is, and then waits for its end.
_PROGRAM = """
import os, sys, xylem_reader
reader = xylem_reader.read(sys.argv[1], each="row", fields=["id=@Id"])
batch = reader.read_next_batch()
print(reader._stream._process.pid, flush=True)
os.read(0, 1)
"""


def is_running(pid: int) -> bool:
    """Whether there is a process that has not ended."""
    try:
        os.kill(pid, 0)
        # A process that has ended, and that nobody has waited for, still has its id.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return sys.platform != "linux"


def end_reading(path: Path, end: signal.Signals | None = None) -> int:
    """Ends a program that reads a file, by a signal or by itself. Returns the id of the process of xylem."""
    program = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    pid = int(program.stdout.readline())
    assert is_running(pid)
    if end is not None:
        program.send_signal(end)
    program.communicate()
    return pid


def wait_for_end(pid: int, seconds: float = 20) -> bool:
    """Whether a process ends in time."""
    until = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not is_running(pid)
