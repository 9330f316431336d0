"""What is believed of a process that behaves well or badly (fake-xylem.mjs)."""

from __future__ import annotations

import base64
import gc
import json
import os
import signal
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path
from typing import Any
from unittest import mock

import pyarrow
import pyarrow.ipc

import xylem_reader
from xylem_reader import Reader, StreamCutError, UsageError, XylemError, XylemWarning

from .fixture import FAKE
from .processes import end_reading, is_running, wait_for_end
from .streams import ROWS, SCHEMA, STREAM, make_stream


def trailer(**fields: Any) -> str:
    """A trailer that is right, unless fields say otherwise."""
    return "MARK " + json.dumps({"exitCode": 0, "rows": 5, "bytes": len(STREAM), **fields}) + "\n"


class FakeTest(unittest.TestCase):
    """Tests in which another script stands in for xylem."""

    def setUp(self) -> None:
        """Lets `xylem_reader` run the other script."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        fake = mock.patch.dict(os.environ, {"XYLEM_SCRIPT": str(FAKE)})
        fake.start()
        self.addCleanup(fake.stop)

    def open(self, stdout: bytes = STREAM, stderr: str | None = None, **others: Any) -> Reader:
        """A reader of a process that prints this, and ends like that."""
        path = self.folder / "behaviour.json"
        behaviour = {"stdout": base64.b64encode(stdout).decode(), "stderr": trailer() if stderr is None else stderr}
        path.write_text(json.dumps({**behaviour, **others}), encoding="utf-8")
        return xylem_reader.read(path, each="row", fields=["id"])

    def read(self, *given: Any, **others: Any) -> tuple[list[int], Exception | None]:
        """The ids that are given out, and the error that comes after them."""
        ids: list[int] = []
        try:
            for batch in self.open(*given, **others):
                ids += batch.column("id").to_pylist()
        except XylemError as error:
            return ids, error
        return ids, None


class GoodProcess(FakeTest):
    """All agrees."""

    def test_all_batches_are_given_out(self) -> None:
        self.assertEqual(self.read(), ([1, 2, 3, 4, 5], None))

    def test_values_are_those_of_arrow(self) -> None:
        with self.open() as reader:
            self.assertIsInstance(reader, pyarrow.RecordBatchReader)
            table = reader.read_all()
        table.validate(full=True)
        self.assertEqual(table, pyarrow.ipc.open_stream(STREAM).read_all())

    def test_a_stream_without_batches_is_an_empty_table(self) -> None:
        empty = make_stream([])
        with self.open(empty, trailer(rows=0, bytes=len(empty))) as reader:
            self.assertEqual(reader.schema, SCHEMA)
            self.assertEqual(reader.read_all().num_rows, 0)

    def test_the_trailer_is_there_after_the_last_batch(self) -> None:
        with self.open(stderr=trailer(range={"id": "a"})) as reader:
            self.assertIsNone(reader.trailer)
            for _ in range(3):
                reader.read_next_batch()
            self.assertEqual(reader.trailer, {"exitCode": 0, "rows": 5, "bytes": len(STREAM), "range": {"id": "a"}})

    def test_messages_are_warnings(self) -> None:
        with self.assertWarns(XylemWarning) as caught:
            self.read(stderr="xylem: warning: one\n  of two lines\nxylem: another\n" + trailer())
        self.assertEqual(Path(caught.filename), Path(__file__))
        self.assertEqual([str(each.message) for each in caught.warnings], ["one\n  of two lines", "another"])

    def test_a_million_messages_neither_block_nor_are_kept(self) -> None:
        many = "xylem: " + "warning " * 16 + "\n"
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            ids, error = self.read(stderr=many * 30_000 + trailer())
        self.assertEqual((ids, error), ([1, 2, 3, 4, 5], None))
        self.assertLess(len(caught), 1000)


class BadProcess(FakeTest):
    """Something does not agree: the last batch is not given out, and there is an error."""

    def refuse(self, message: str, given_out: list[int] | None = None, **others: Any) -> None:
        """Expects an error of a cut stream, after all batches but the last."""
        ids, error = self.read(**others)
        self.assertIsInstance(error, StreamCutError)
        self.assertIn(message, str(error))
        self.assertEqual(ids, [1, 2, 3] if given_out is None else given_out)

    def test_a_missing_trailer(self) -> None:
        self.refuse("the trailer is missing", stderr="")
        self.refuse("the trailer is missing", stderr="xylem: something else\n")

    def test_a_trailer_with_another_mark(self) -> None:
        self.refuse("the trailer is missing", stderr=trailer().replace("MARK", "0123"))

    def test_two_trailers(self) -> None:
        self.refuse("several trailers", stderr=trailer() * 2)

    def test_a_trailer_before_the_last_line(self) -> None:
        self.refuse("not the last line", stderr=trailer() + "xylem: late\n")

    def test_a_trailer_that_was_cut(self) -> None:
        self.refuse("not JSON", stderr=trailer()[:-4])

    def test_a_trailer_without_an_exit_code(self) -> None:
        self.refuse("no exit code", stderr='MARK {"rows":5}\n')
        self.refuse("no exit code", stderr="MARK []\n")

    def test_a_wrong_number_of_records(self) -> None:
        self.refuse("5 records have arrived, but the trailer has 6", stderr=trailer(rows=6))
        self.refuse("but the trailer has None", stderr=trailer(rows=None))

    def test_a_wrong_number_of_bytes(self) -> None:
        self.refuse("bytes have arrived", stderr=trailer(bytes=7))
        self.refuse("but the trailer has None", stderr=trailer(bytes=None))

    def test_an_exit_code_that_the_trailer_does_not_have(self) -> None:
        self.refuse("the trailer has the exit code 0", exitCode=3)
        self.refuse("the trailer has the exit code 3", stderr=trailer(exitCode=3))

    def test_a_process_that_was_killed(self) -> None:
        self.refuse("signal 9", signal="SIGKILL", stderr="", given_out=[1, 2, 3])

    def test_more_output_after_the_end(self) -> None:
        self.refuse("after the end", stdout=STREAM + b"x", stderr=trailer(bytes=len(STREAM) + 1))

    def test_garbage(self) -> None:
        for garbage in (b'{"id":1}\n' * 1000, b"\xff" * 5000, b"\xff\xff\xff\xff\x10\0\0\0" + b"\xfe" * 100):
            with self.subTest(garbage=garbage[:10]), self.assertRaisesRegex(StreamCutError, "Arrow|ends before"):
                self.open(garbage, trailer(bytes=len(garbage))).read_all()

    def test_garbage_of_a_process_that_stays(self) -> None:
        begun = time.monotonic()
        _, error = self.read(stdout=b"no arrow", stays=True)
        self.assertIn("not a stream of Arrow (xylem was ended by signal 9)", str(error))
        self.assertLess(time.monotonic() - begun, 30)

    def test_an_exit_code_of_one_after_complete_data(self) -> None:
        ids, error = self.read(exitCode=1, stderr="xylem: 2 errors\n" + trailer(exitCode=1))
        self.assertEqual(ids, [1, 2, 3])
        self.assertIsInstance(error, XylemError)
        self.assertEqual((error.exit_code, error.__notes__), (1, ["2 errors"]))

    def test_an_error_in_the_trailer_of_a_success(self) -> None:
        ids, error = self.read(stderr=trailer(error={"message": "wrong", "code": "odd"}))
        self.assertEqual((ids, str(error), error.code), ([1, 2, 3], "wrong", "odd"))

    def test_a_stream_that_is_cut_between_batches(self) -> None:
        for count in range(len(ROWS) + 1):
            with self.subTest(count=count):
                cut = make_stream(ROWS[:count])[:-8]
                ids, error = self.read(cut, trailer(bytes=len(cut)))
                self.assertIsInstance(error, StreamCutError)
                self.assertEqual(ids, [1, 2, 3, 4, 5][: sum(map(len, ROWS[: max(0, count - 1)]))])


class FailedProcess(FakeTest):
    """xylem says what is wrong."""

    def test_an_error_has_its_place_and_an_excerpt(self) -> None:
        place = {
            "message": "a.xml: wrong",
            "code": "wrong-tag",
            "file": "a.xml",
            "byteOffset": 7,
            "line": 2,
            "column": 3,
        }
        _, error = self.read(
            STREAM[:600],
            "xylem: warning: first\nxylem: a.xml: wrong\n    <a></b>\n       ^\n" + trailer(exitCode=3, error=place),
            exitCode=3,
        )
        self.assertIsInstance(error, xylem_reader.InputError)
        self.assertEqual(str(error), "a.xml: wrong")
        self.assertEqual((error.code, error.file, error.exit_code), ("wrong-tag", "a.xml", 3))
        self.assertEqual((error.byte_offset, error.line, error.column), (7, 2, 3))
        self.assertEqual(error.__notes__, ["    <a></b>\n       ^", "warning: first"])

    def test_wrong_use_is_a_value_error(self) -> None:
        with self.assertRaises(UsageError) as caught:
            self.open(b"", trailer(exitCode=2, error={"message": "unknown option"}), exitCode=2)
        self.assertIsInstance(caught.exception, ValueError)

    def test_what_node_says_is_shown(self) -> None:
        with self.assertRaises(StreamCutError) as caught:
            self.open(b"", "Error: Cannot find module 'x'\n    at y\n", exitCode=1)
        self.assertEqual(caught.exception.__notes__, ["Error: Cannot find module 'x'\n    at y"])

    def test_a_script_that_is_missing_is_an_error(self) -> None:
        os.environ["XYLEM_SCRIPT"] = "/nowhere/xylem.mjs"
        with self.assertRaisesRegex(XylemError, "/nowhere/xylem.mjs is missing: .*npm run build"):
            self.open()

    def test_the_error_comes_again(self) -> None:
        reader = self.open(STREAM[:-8], "")
        for _ in range(3):
            with self.assertRaises(StreamCutError):
                reader.read_all()


class LeftProcess(FakeTest):
    """A reader that is left leaves no process."""

    def open_staying(self) -> tuple[Reader, int]:
        """A reader of a process that would never end."""
        reader = self.open(STREAM[:-8], "", stays=True)
        pid = reader._stream._process.pid
        self.assertTrue(is_running(pid))
        return reader, pid

    def test_close(self) -> None:
        reader, pid = self.open_staying()
        reader.read_next_batch()
        reader.close()
        self.assertFalse(is_running(pid))
        with self.assertRaisesRegex(ValueError, "closed"):
            reader.read_all()
        reader.close()

    def test_with(self) -> None:
        reader, pid = self.open_staying()
        with self.assertRaises(ZeroDivisionError), reader:
            raise ZeroDivisionError
        self.assertFalse(is_running(pid))

    def test_drop(self) -> None:
        reader, pid = self.open_staying()
        for _ in reader:
            break
        del reader, _
        gc.collect()
        self.assertFalse(is_running(pid))

    def test_drop_of_what_was_made_of_it(self) -> None:
        reader, pid = self.open_staying()
        other = pyarrow.RecordBatchReader.from_stream(reader)
        del reader
        other.read_next_batch()
        self.assertTrue(is_running(pid))
        other.close()
        del other
        gc.collect()
        self.assertFalse(is_running(pid))

    def test_generator(self) -> None:
        reader, pid = self.open_staying()

        def generate(opened: Reader) -> Any:
            with opened:
                yield from opened

        batches = generate(reader)
        next(batches)
        batches.close()
        self.assertFalse(is_running(pid))

    @unittest.skipIf(os.name == "nt", "processes are interrupted in another way here")
    def test_interrupt(self) -> None:
        # A program that a shell has started in the background ignores interrupts.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        reader, pid = self.open_staying()
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt):
            reader.read_all()
        self.assertFalse(is_running(pid))

    def test_close_from_another_thread(self) -> None:
        reader, pid = self.open_staying()
        threading.Timer(0.3, reader.close).start()
        with self.assertRaises((XylemError, ValueError)):
            reader.read_all()
        self.assertFalse(is_running(pid))

    @unittest.skipIf(os.name == "nt", "processes are ended in another way here")
    def test_end_of_the_program(self) -> None:
        self.open_staying()[0].close()
        for end in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(end=end):
                self.assertTrue(wait_for_end(end_reading(self.folder / "behaviour.json", end)))

    @unittest.skipUnless(hasattr(os, "fork"), "there is no fork here")
    def test_a_forked_process_ends_nothing(self) -> None:
        reader, pid = self.open_staying()
        child = os.fork()
        if child == 0:
            reader.close()
            os._exit(0)
        os.waitpid(child, 0)
        self.assertTrue(is_running(pid))
        reader.close()

    def test_a_shape_leaves_no_file(self) -> None:
        path = self.folder / "behaviour.json"
        path.write_text(json.dumps({"stdout": base64.b64encode(STREAM).decode(), "stderr": trailer()}))
        with mock.patch.object(tempfile, "tempdir", str(self.folder)):
            reader = xylem_reader.read(path, each="row", shape={"id": "@Id"})
            self.assertEqual(len(list(self.folder.glob("*.shape.json"))), 1)
            reader.read_all()
        self.assertEqual(list(self.folder.glob("*.shape.json")), [])
