"""The reports of ranges, from which it is proven that everything was read."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import xylem_reader
from xylem_reader.process import run
from xylem_reader.question import Question

_PLAN = "_plan.jsonl"
_MANIFESTS = "_manifest"


def write_plan(folder: str, plan: xylem_reader.Plan) -> None:
    """Writes a plan to its folder. All queries that ask the same have one."""
    _write(Path(folder, plan.digest, _PLAN), plan.text)


def write_report(folder: str, plan: str, trailer: dict[str, Any]) -> None:
    """Writes what reading a range has found. A range that is read again has the same trailer."""
    _write(Path(folder, plan, _MANIFESTS, f"{trailer['range']}.json"), json.dumps(trailer))


def check(
    folder: str | os.PathLike[str],
    *,
    verify_inputs: bool = False,
    node: str | os.PathLike[str] | None = None,
) -> list[dict[str, Any]]:
    """Proves from the reports in a folder that everything that was planned was read, and once, as `xylem commit` does.

    `verify_inputs`: files that seem to have changed between two ranges are read again. Without it, they are an error.

    Returns the totals of each plan in it, such as `records`. Raises a `XylemError` if a report is missing, or does not fit.
    """
    plans = sorted(Path(folder).glob(f"*/{_PLAN}"))
    if not plans:
        raise FileNotFoundError(f"{os.fspath(folder)}: there are no reports")
    return [_check(plan, verify_inputs, node) for plan in plans]


def _check(plan: Path, verify_inputs: bool, node: str | os.PathLike[str] | None) -> dict[str, Any]:
    arguments = ("--reports", "--allow-empty", *(["--verify-inputs"] if verify_inputs else []))
    # It ends with 1 if errors were skipped on demand. The totals have their number.
    question = Question("commit", arguments, (str(plan), str(plan.parent)), accepted=frozenset([0, 1]))
    totals: dict[str, Any] = json.loads(run(question, node=node))
    return totals


def _write(path: Path, text: str) -> None:
    """Writes a file that is either complete or not there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
