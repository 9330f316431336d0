"""Plans and ranges."""

from __future__ import annotations

import json
import pickle
import shutil
import tempfile
import unittest
import warnings
from pathlib import Path
from typing import Any

import pyarrow

import xylem_reader
from xylem_reader import InputError, UsageError, XylemError

from .fixture import DUMP, POSTS


class Ranges(unittest.TestCase):
    """All ranges of a plan together are the input."""

    def test_ranges_of_a_dump(self) -> None:
        plan = xylem_reader.plan(DUMP, dump="pages", fields=["id", "title"], range_size=2000)
        self.assertGreater(len(plan.ranges), 2)
        expected = xylem_reader.read(DUMP, dump="pages", fields=["id", "title"]).read_all()
        tables = [xylem_reader.read_range(line).read_all() for line in plan.ranges]
        self.assertEqual(pyarrow.concat_tables(tables), expected)
        self.assertEqual(plan.schema, expected.schema)

    def test_ranges_of_other_xml(self) -> None:
        question = {"each": "row", "fields": {"id:integer": "@Id"}, "where": "id>1"}
        plan = xylem_reader.plan(POSTS, **question, ranges=2)
        tables = [xylem_reader.read_range(line).read_all() for line in plan.ranges]
        self.assertEqual(pyarrow.concat_tables(tables), xylem_reader.read(POSTS, **question).read_all())

    def test_cuts_that_are_known_before(self) -> None:
        rows = {"each": "row", "fields": ["id=@Id"]}
        for path, size, question in ((DUMP, 2000, {"dump": "pages"}), (POSTS, 300, rows)):
            for cuts in ("guessed", "verified"):
                with self.subTest(path=path.name, cuts=cuts):
                    plan = self.plan(path, **question, cuts=cuts, range_size=size)
                    tables = [xylem_reader.read_range(line).read_all() for line in plan.ranges]
                    self.assertGreater(len(tables), 1)
                    self.assertEqual(pyarrow.concat_tables(tables), xylem_reader.read(path, **question).read_all())

    def test_a_cut_that_was_guessed_wrong_is_an_error(self) -> None:
        rows = [f'<row Id="{i}" Text="{"x" * 300}"/>' for i in range(20)]
        document = f"<rows>{rows[0]}<!--{''.join(rows)}-->{''.join(rows)}</rows>"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.xml"
            path.write_text(document)
            plan = self.plan(path, each="row", fields=["id=@Id"], cuts="guessed", ranges=4)
            codes = []
            for line in plan.ranges:
                try:
                    xylem_reader.read_range(line).read_all()
                except InputError as error:
                    codes.append((error.code, error.exit_code))
            self.assertIn(("wrong-cut", 3), codes)

    def plan(self, path: Path, **question: Any) -> xylem_reader.Plan:
        """A plan of a copy of a file, beside which cuts that are verified are kept."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        copy = shutil.copy(path, folder.name)
        with warnings.catch_warnings():
            # What verifying cuts costs is a warning.
            warnings.simplefilter("ignore", xylem_reader.XylemWarning)
            return xylem_reader.plan(copy, **question)

    def test_a_range_has_its_trailer_at_the_end(self) -> None:
        plan = xylem_reader.plan(DUMP, dump="revisions")
        reader = xylem_reader.read_range(plan.ranges[0])
        rows = reader.read_all().num_rows
        self.assertEqual(reader.trailer["rows"], rows)
        self.assertEqual(reader.trailer["range"]["records"], rows)

    def test_a_plan_has_a_digest_and_the_text_of_its_lines(self) -> None:
        plan = xylem_reader.plan(DUMP, dump="pages", range_size=2000)
        [head, *ranges] = [json.loads(line) for line in plan.text.splitlines()]
        self.assertEqual((head["type"], head["digest"]), ("plan", plan.digest))
        self.assertEqual(len(ranges), len(plan.ranges))
        self.assertTrue(Path(ranges[0]["file"]).is_absolute())

    def test_plans_can_be_pickled(self) -> None:
        plan = xylem_reader.plan(DUMP, dump="pages")
        self.assertEqual(plan.schema, pickle.loads(pickle.dumps(plan)).schema)
        self.assertEqual(pickle.loads(pickle.dumps(plan)), plan)

    def test_a_plan_can_infer(self) -> None:
        plan = xylem_reader.plan(POSTS, each="row", infer=True)
        self.assertEqual(plan.schema.field("Score").type, pyarrow.int64())
        self.assertEqual(xylem_reader.read_range(plan.ranges[0]).read_all().num_rows, 3)
        found = xylem_reader.plan(POSTS, infer=True)
        self.assertEqual(found.schema, plan.schema)
        self.assertEqual([xylem_reader.read_range(line).read_all().num_rows for line in found.ranges], [3])
        with self.assertRaisesRegex(UsageError, "give neither fields nor shape"):
            xylem_reader.plan(POSTS, infer=True, fields=["a"])

    def test_errors(self) -> None:
        with self.assertRaises(InputError):
            xylem_reader.plan("nowhere.xml", dump="pages")
        with self.assertRaises(UsageError):
            xylem_reader.plan(POSTS, each="row", fields=["id=@Id"], ns=[0])
        for line in ("", "{}", '{"type":"range"}', "not JSON"):
            with self.subTest(line=line), self.assertRaises(XylemError):
                xylem_reader.read_range(line).read_all()

    def test_an_input_that_has_changed_is_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.xml"
            path.write_bytes(POSTS.read_bytes())
            plan = xylem_reader.plan(path, each="row", fields=["id=@Id"])
            path.write_bytes(POSTS.read_bytes() + b"\n")
            with self.assertRaises(InputError) as caught:
                xylem_reader.read_range(plan.ranges[0]).read_all()
        self.assertEqual(caught.exception.exit_code, 4)
