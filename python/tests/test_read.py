"""Reading with xylem itself."""

from __future__ import annotations

import concurrent.futures
import datetime
import json
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path

import pyarrow

import xylem_reader
from xylem_reader import InputError, StreamCutError, UsageError, XylemError, XylemWarning
from xylem_reader.node import find_node
from xylem_reader.process import _find_script
from xylem_reader.question import ARGUMENTS, NEGATED, REFUSED

from .fixture import ACCESS_LOG, DUMP, POSTS
from .processes import end_reading, is_running, wait_for_end

FIELDS = {"id:integer": "@Id", "created:date": "@CreationDate", "title": "@Title"}


class Elements(unittest.TestCase):
    """Elements of XML."""

    def test_fields_have_their_kinds(self) -> None:
        with xylem_reader.read(POSTS, each="row", fields=FIELDS) as reader:
            table = reader.read_all()
        kinds = [pyarrow.int64(), pyarrow.timestamp("ms", tz="UTC"), pyarrow.string()]
        self.assertEqual(table.schema.types, kinds)
        self.assertEqual(table.column("id").to_pylist(), [1, 2, 3])
        self.assertEqual(
            table.column("title").to_pylist(), ["How does water rise in a tree?", None, 'Why are leaves "green"?']
        )
        first = datetime.datetime(2026, 1, 2, 3, 4, 5, 6000, datetime.timezone.utc)
        self.assertEqual(table.column("created")[0].as_py(), first)
        self.assertEqual(reader.trailer["rows"], 3)

    def test_a_shape_may_be_data_or_a_file(self) -> None:
        shape = {"id": {"path": "@Id", "as": "integer"}, "tags": {"path": "@Tags"}}
        expected = xylem_reader.read(POSTS, each="row", shape=shape).read_all()
        self.assertEqual(expected.column("tags").to_pylist(), ["|botany|water|", None, "|botany|"])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "shape.json"
            path.write_text(json.dumps(shape))
            self.assertEqual(xylem_reader.read(POSTS, each="row", shape=path).read_all(), expected)

    def test_infer_finds_all_fields(self) -> None:
        table = xylem_reader.read(POSTS, infer=True).read_all()
        self.assertEqual(table.column("Score").to_pylist(), [12, 20, -1])

    def test_conditions_and_limits(self) -> None:
        table = xylem_reader.read(POSTS, each="row", fields=["id:integer=@Id"], where=["id>1", "id<3"]).read_all()
        self.assertEqual(table.column("id").to_pylist(), [2])
        self.assertEqual(xylem_reader.read(POSTS, each="row", fields=FIELDS, limit=2).read_all().num_rows, 2)

    def test_several_files_and_patterns_are_one_table(self) -> None:
        self.assertEqual(xylem_reader.read([POSTS, POSTS], each="row", fields=FIELDS).read_all().num_rows, 6)
        pattern = POSTS.parent / "Post?.xml"
        self.assertEqual(xylem_reader.read(pattern, each="row", fields=FIELDS).read_all().num_rows, 3)

    def test_that_nothing_was_found_is_a_warning(self) -> None:
        with self.assertWarnsRegex(XylemWarning, "no record found"):
            table = xylem_reader.read(POSTS, each="column", fields=["id=@Id"]).read_all()
        self.assertEqual((table.num_rows, table.column_names), (0, ["id"]))


class Dumps(unittest.TestCase):
    """Dumps of wikis."""

    def test_pages(self) -> None:
        table = xylem_reader.read(DUMP, dump="pages", fields=["id", "title"], ns=["Talk", "Module"]).read_all()
        self.assertEqual(table.to_pylist(), [{"id": 8, "title": "Talk:Xylem"}, {"id": 12, "title": "Module:Old"}])

    def test_revisions_of_a_compressed_dump(self) -> None:
        table = xylem_reader.read(DUMP.with_suffix(".xml.bz2"), dump="revisions").read_all()
        self.assertGreater(table.num_rows, 9)
        self.assertIn("page.title", table.column_names)

    def test_errors_that_are_skipped_are_warnings(self) -> None:
        broken = DUMP.read_bytes().replace(b"<id>103</id>", b"<id>x</id>")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "broken.xml"
            path.write_bytes(broken)
            with self.assertRaises(InputError):
                xylem_reader.read(path, dump="pages").read_all()
            with self.assertWarnsRegex(XylemWarning, "id"):
                table = xylem_reader.read(path, dump="pages", on_error="skip-page").read_all()
        self.assertEqual(table.num_rows, 9)


class Grammars(unittest.TestCase):
    """Text of a grammar."""

    def test_a_grammar_that_comes_along(self) -> None:
        table = xylem_reader.parse(ACCESS_LOG, grammar="@combined", fields=["host", "status"]).read_all()
        self.assertEqual(table.schema.names, ["host", "status"])
        self.assertEqual(table.schema.field("status").type, pyarrow.int64())
        self.assertGreater(table.num_rows, 2)

    def test_a_grammar_in_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            grammar, log = Path(folder) / "g.bnf", Path(folder) / "a.log"
            grammar.write_text('program ::= entry* ; entry ::= key:[a-z]+ %"=" value:[0-9]+ %"\\n" ;')
            log.write_text("a=1\nbc=23\n")
            table = xylem_reader.parse(log, grammar=grammar, kinds={"value": "integer"}).read_all()
            self.assertEqual(table.to_pylist(), [{"key": "a", "value": 1}, {"key": "bc", "value": 23}])
            log.write_text("a=1\nbc=x\n")
            with self.assertRaises(InputError) as caught:
                xylem_reader.parse(log, grammar=grammar).read_all()
        error = caught.exception
        self.assertEqual((error.line, error.column, error.byte_offset, error.exit_code), (2, 4, 7, 3))


class Schemas(unittest.TestCase):
    """Schemas without reading."""

    def test_the_schema_is_that_of_the_records(self) -> None:
        for given in ({"each": "row", "fields": FIELDS}, {"infer": True}):
            with self.subTest(given=given):
                expected = xylem_reader.read(POSTS, **given).schema
                self.assertEqual(xylem_reader.schema(POSTS, **given), expected)
        for dump in ("pages", "revisions"):
            with self.subTest(dump=dump):
                self.assertEqual(xylem_reader.schema(DUMP, dump=dump), xylem_reader.read(DUMP, dump=dump).schema)
        expected = xylem_reader.parse(ACCESS_LOG, grammar="@combined").schema
        self.assertEqual(xylem_reader.schema(ACCESS_LOG, grammar="@combined"), expected)

    def test_no_record_is_read_and_nothing_is_warned_of(self) -> None:
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("error")
            path = Path(folder) / "a.xml"
            path.write_text("<a><b/></a><wrong>")
            self.assertEqual(xylem_reader.schema(path, each="b", fields=["c"]).names, ["c"])


class Errors(unittest.TestCase):
    """What is wrong, and where."""

    def test_an_error_in_a_value_has_its_place(self) -> None:
        with self.assertRaises(InputError) as caught:
            xylem_reader.read(POSTS, each="row", fields=["id:date=@Id"]).read_all()
        error = caught.exception
        self.assertIn('the value "1" of the field id is not a date', str(error))
        self.assertEqual((error.line, error.column, error.byte_offset, error.exit_code), (3, 12, 58, 3))
        self.assertEqual(error.file, str(POSTS))
        self.assertTrue(error.code)
        self.assertIn("^", error.__notes__[0])

    def test_records_before_an_error_are_no_table(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cut.xml"
            path.write_bytes(POSTS.read_bytes()[:-20])
            with self.assertRaises(InputError):
                xylem_reader.read(path, each="row", fields=FIELDS).read_all()

    def test_other_errors(self) -> None:
        with self.assertRaises(InputError) as caught:
            xylem_reader.read("nowhere.xml", each="row", fields=FIELDS)
        self.assertEqual(caught.exception.exit_code, 5)
        with self.assertRaisesRegex(UsageError, "unknown option '--colour"):
            xylem_reader.read(POSTS, each="row", fields=FIELDS, colour="red")
        with self.assertRaises(UsageError):
            xylem_reader.read(POSTS, each="row[", fields=FIELDS)

    def test_errors_can_be_pickled(self) -> None:
        with self.assertRaises(XylemError) as caught:
            xylem_reader.read(POSTS, each="row", fields=["id:date=@Id"]).read_all()
        error = caught.exception
        copy = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(copy), str(copy), vars(copy)), (type(error), str(error), vars(error)))


class Options(unittest.TestCase):
    """What is known here about options of the command line."""

    def test_options_that_are_known_here_are_there(self) -> None:
        found: set[str] = set()
        for command in ("select", "pages", "revisions", "parse", "plan"):
            line = [find_node(), _find_script(), command, "--help"]
            printed = subprocess.run(line, capture_output=True, text=True, check=True).stdout
            found |= set(re.findall(r"^ +(?:-\w, )?--([a-z-]+)", printed, re.MULTILINE))
        known = {*REFUSED, *ARGUMENTS, *(f"no_{name}" for name in NEGATED)} - {"version"}
        self.assertEqual(known - {name.replace("-", "_") for name in found}, set())


class Concurrency(unittest.TestCase):
    """Threads and processes."""

    def test_threads_read_at_the_same_time(self) -> None:
        def count(_: int) -> int:
            return xylem_reader.read(DUMP, dump="pages").read_all().num_rows

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(count, range(8))), [10] * 8)

    def test_a_reader_may_be_read_in_another_thread(self) -> None:
        reader = xylem_reader.read(DUMP, dump="pages")
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            self.assertEqual(pool.submit(reader.read_all).result().num_rows, 10)

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_forked_processes_read(self) -> None:
        reader = xylem_reader.read(DUMP, dump="pages")
        with multiprocessing.get_context("fork").Pool(2) as pool:
            self.assertEqual(pool.map(_count_rows, [DUMP] * 4), [10] * 4)
        self.assertEqual(reader.read_all().num_rows, 10)


class Leaving(unittest.TestCase):
    """A reader that is left while xylem waits to write more."""

    @classmethod
    def setUpClass(cls) -> None:
        """Makes a document whose records are more than pipes hold."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = Path(folder.name) / "large.xml"
        with cls.path.open("w") as file:
            file.write("<rows>\n")
            file.writelines(f'<row Id="{i:0100}"/>\n' for i in range(200_000))
            file.write("</rows>\n")

    def test_all_is_read_in_batches(self) -> None:
        sizes = [batch.num_rows for batch in xylem_reader.read(self.path, each="row", fields=["id=@Id"])]
        self.assertEqual(sum(sizes), 200_000)
        self.assertGreater(len(sizes), 3)

    def test_a_reader_that_is_closed_leaves_no_process(self) -> None:
        reader = xylem_reader.read(self.path, each="row", fields=["id=@Id"])
        pid = reader._stream._process.pid
        reader.read_next_batch()
        self.assertTrue(is_running(pid))
        reader.close()
        self.assertFalse(is_running(pid))

    @unittest.skipIf(os.name == "nt", "processes are ended in another way here")
    def test_a_program_that_ends_leaves_no_process(self) -> None:
        for end in (None, signal.SIGINT):
            with self.subTest(end=end):
                self.assertFalse(is_running(end_reading(self.path, end)))
        self.assertTrue(wait_for_end(end_reading(self.path, signal.SIGKILL)))

    @unittest.skipIf(os.name == "nt", "processes are ended in another way here")
    def test_a_process_that_is_killed_is_an_error(self) -> None:
        reader = xylem_reader.read(self.path, each="row", fields=["id=@Id"])
        reader.read_next_batch()
        os.kill(reader._stream._process.pid, signal.SIGKILL)
        with self.assertRaisesRegex(StreamCutError, "signal 9"):
            reader.read_all()


def _count_rows(path: Path) -> int:
    return xylem_reader.read(path, dump="pages").read_all().num_rows
