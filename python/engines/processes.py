"""The processes that a test has started, directly or not. No others are ever ended."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

Result = TypeVar("Result")

#: What the command lines of processes contain.
NODE = Path(os.environ.get("XYLEM_SCRIPT", "xylem.mjs")).name
PYTHON_WORKER = "pyspark.daemon"
EXECUTOR = "CoarseGrainedExecutorBackend"


def find_descendants(what: str) -> list[int]:
    """The ids of processes with such a command line that descend from this process."""
    parents: dict[int, int] = {}
    lines: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                status = (folder / "stat").read_text().rsplit(")", 1)[1].split()
                lines[int(folder.name)] = (
                    (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
            except (OSError, IndexError):
                continue
            if status[0] != "Z":
                parents[int(folder.name)] = int(status[1])
    return [pid for pid in parents if what in lines[pid] and _descends(pid, parents)]


def _descends(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents:
        pid = parents[pid]
        if pid == os.getpid():
            return True
    return False


def kill_one(what: str, timeout: float = 60) -> int:
    """Kills a process as soon as there is one, and waits until it is gone. Returns its id."""
    [*found] = wait_for(lambda: find_descendants(what), f"a process {what}", timeout)
    os.kill(found[-1], signal.SIGKILL)
    wait_for(lambda: found[-1] not in find_descendants(what), f"the end of {found[-1]}", timeout)
    return found[-1]


def wait_for(ask: Callable[[], Result], what: str, timeout: float = 60) -> Result:
    """Asks until the answer is true. Raises an `AssertionError` if that takes too long."""
    end = time.monotonic() + timeout
    while not (result := ask()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {timeout} seconds for {what}")
        time.sleep(0.02)
    return result
