"""Tables of other programs."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import xylem_reader
from xylem_reader import Reader

from .fixture import DUMP, POSTS

try:
    import duckdb
    import pandas
    import polars
except ImportError as error:
    raise unittest.SkipTest(f"{error.name} is not installed") from error

TITLES = ["How does water rise in a tree?", None, 'Why are leaves "green"?']


def read() -> Reader:
    """Posts."""
    return xylem_reader.read(POSTS, each="row", fields={"id:integer": "@Id", "title": "@Title"})


def read_error() -> Reader:
    """Posts that have an error in their first value."""
    return xylem_reader.read(POSTS, each="row", fields={"id:date": "@Id"})


class Tables(unittest.TestCase):
    """A reader becomes a table of another program by one call."""

    def test_pandas(self) -> None:
        frame = read().read_pandas(types_mapper=pandas.ArrowDtype)
        self.assertEqual(frame["id"].sum(), 6)
        self.assertEqual([None if title is pandas.NA else title for title in frame["title"]], TITLES)
        with self.assertRaises(xylem_reader.InputError):
            read_error().read_pandas()

    def test_polars(self) -> None:
        frame = polars.from_arrow(read())
        self.assertEqual(frame["id"].sum(), 6)
        self.assertEqual(frame["title"].to_list(), TITLES)

    def test_duckdb(self) -> None:
        posts = read()
        self.assertEqual(duckdb.sql("SELECT sum(id) FROM posts").fetchall(), [(6,)])
        titles = duckdb.from_arrow(read()).order("id").project("title").fetchall()
        self.assertEqual([title for [title] in titles], TITLES)
        self.assertEqual(posts.trailer and posts.trailer["rows"], 3)

    def test_an_error_reaches_other_programs(self) -> None:
        for convert in (polars.from_arrow, lambda reader: duckdb.from_arrow(reader).fetchall()):
            with self.assertRaisesRegex(Exception, "is not a date"):
                convert(read_error())

    def test_pages_in_parquet(self) -> None:
        import pyarrow.parquet

        reader = xylem_reader.read(DUMP, dump="pages")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pages.parquet"
            with pyarrow.parquet.ParquetWriter(path, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
            self.assertEqual(pyarrow.parquet.read_table(path).num_rows, 10)
