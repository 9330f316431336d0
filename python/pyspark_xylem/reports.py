"""The reports of ranges, from which it is proven that everything was read."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any

import xylem_reader

_PLAN = "_plan.jsonl"
_MANIFESTS = "_manifest"


def write_plan(folder: str, plan: xylem_reader.Plan) -> None:
    """Writes a plan to its folder. All queries that ask the same have one."""
    _write(os.path.join(folder, plan.digest, _PLAN), plan.text)


def write_report(folder: str, plan: str, trailer: dict[str, Any]) -> None:
    """Writes what reading a range has found. A range that is read again has the same trailer."""
    _write(os.path.join(folder, plan, _MANIFESTS, f"{trailer['range']}.json"), json.dumps(trailer))


def _write(path: str, text: str) -> None:
    """Writes a file that is either complete or not there."""
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=".")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
