"""Inputs that tests make: dumps, and documents of records."""

from __future__ import annotations

import bz2
import hashlib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

_WORDS = ["xylem", "phloem", "cambium", "root", "leaf", "tree", "water", "stem", "žieve", "koks", "木", "🌳"]


def write_dump(path: Path, pages: int, *, size: int = 2000) -> Path:
    """Writes a dump of so many pages, with texts of some `size` characters. Compressed if its name ends with `.bz2`."""
    head = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n'
    text = head + "".join(_pages(pages, size)) + "</mediawiki>\n"
    return _write(path, text.encode())


def _pages(pages: int, size: int) -> Iterator[str]:
    for number in range(pages):
        words = (f"{_WORDS[place % len(_WORDS)]} {_digits(number, place)}" for place in range(size // 70))
        yield (
            f"  <page>\n    <title>Page {number}</title>\n    <ns>{number % 3}</ns>\n    <id>{number + 1}</id>\n"
            f"    <revision>\n      <id>{number + 1000000}</id>\n"
            f"      <timestamp>2026-01-{number % 28 + 1:02}T03:04:05Z</timestamp>\n"
            "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n"
            f'      <text xml:space="preserve">{number} {" ".join(words)} &amp; {number}</text>\n'
            "    </revision>\n  </page>\n"
        )


def _digits(number: int, place: int) -> str:
    """Digits that cannot be compressed well."""
    return hashlib.sha256(f"{number} {place}".encode()).hexdigest()


def write_rows(path: Path, rows: int) -> Path:
    """Writes rows, each with an id, a time, a number, a name, and tags."""
    parts = ["<rows>\n"]
    for number in range(rows):
        tags = "".join(f"<tag>t{tag}</tag>" for tag in range(number % 3))
        name = f'<name>  N{number} "x" </name>' if number % 5 else ""
        parts.append(
            f'  <row id="{number}" at="2026-03-29T00:{number // 60 % 60:02}:{number % 60:02}.250Z" score="{number / 4}">'
            f"{name}{tags}</row>\n"
        )
    return _write(path, ("".join(parts) + "</rows>\n").encode())


def write_row_in_long_comment(path: Path) -> Path:
    """Writes a document in which a comment with rows lies where it is cut into two."""
    rows = "".join(f'<row id="{number}"/>\n' for number in range(100))
    comment = "<!--\n" + "".join(f'<row id="{number}"/>\n' for number in range(1000, 2000)) + "-->\n"
    return _write(path, f"<rows>\n{rows}{comment}{rows}</rows>\n".encode())


def _write(path: Path, content: bytes) -> Path:
    path.write_bytes(bz2.compress(content, 1) if path.suffix == ".bz2" else content)
    return path


def sums_of(table: pa.Table) -> tuple[Any, ...]:
    """What is compared of a table of pages: its rows, the sum of ids, and sums over titles and texts."""
    ids, titles, texts = (table.column(name).to_pylist() for name in ("id", "title", "revision.text"))
    return len(ids), sum(ids), sum(map(_checksum, titles)), sum(map(_checksum, texts)), sum(map(len, texts))


def _checksum(text: str) -> int:
    return zlib.crc32(text.encode())
