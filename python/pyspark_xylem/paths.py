"""Paths as users of Spark write them: one or several, with patterns, folders and URIs of files."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote, urlsplit

#: How paths begin that are not opened as files.
_URLS = ("https://", "http://")


def find_paths(given: Sequence[str]) -> list[str]:
    """The files that paths stand for, by their full paths, and URLs as they are. Raises `FileNotFoundError` where there is none.

    A path may be several with commas between them. Each may have patterns (`*`, `?`, `[ab]`, `{a,b}`), or be a folder, whose
    files count except those whose names begin with `_` or a dot, as everywhere in Spark.
    """
    found = [file for path in given for part in _parts(path) for file in _files(part)]
    return list(dict.fromkeys(found))


def _parts(path: str) -> list[str]:
    """The paths between commas, except those in braces. A file that has a comma in its name is one path."""
    if not path.startswith(_URLS) and os.path.exists(_local(path)):
        return [path]
    return [part.strip() for part in re.split(r",(?![^{]*\})", path) if part.strip()]


def _local(path: str) -> str:
    """The path of a file, also of a URI such as `file:/data/a.xml`. Raises `ValueError` for what is not a path of files."""
    scheme, _, rest = path.partition(":")
    if re.fullmatch(r"[a-zA-Z][a-zA-Z0-9+.-]+", scheme) is None or not rest.startswith("/"):
        return path
    if scheme == "file":
        return unquote(urlsplit(path).path)
    if scheme == "dbfs":
        return "/dbfs/" + rest.lstrip("/")
    raise ValueError(
        f"{path}: files are opened by their paths on every machine, or read from http:// and https://; mount {scheme}: as a "
        "folder, or use a URL that needs no more than itself"
    )


def _files(path: str) -> list[str]:
    if path.startswith(_URLS):
        return [path]
    local = os.path.abspath(_local(path))
    matches = (
        [local] if os.path.exists(local) else sorted({file for one in _alternatives(local) for file in glob.glob(one)})
    )
    files = [file for match in matches for file in (_in_folder(match) if os.path.isdir(match) else [match])]
    if not files:
        raise FileNotFoundError(f"{path}: there is no such file")
    return files


def _in_folder(folder: str) -> list[str]:
    """The files of a folder that are data."""
    names = sorted(name for name in os.listdir(folder) if not name.startswith(("_", ".")))
    return [path for path in (os.path.join(folder, name) for name in names) if os.path.isfile(path)]


def _alternatives(pattern: str) -> Iterator[str]:
    """The patterns that braces stand for: those of `a{b,c}` are `ab` and `ac`."""
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if braces is None:
        yield pattern
        return
    for alternative in braces.group(1).split(","):
        yield from _alternatives(pattern[: braces.start()] + alternative + pattern[braces.end() :])
