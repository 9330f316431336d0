"""Arguments of functions as arguments of the command line."""

from __future__ import annotations

import datetime
import unittest
from pathlib import Path
from typing import Any

from xylem_reader import UsageError
from xylem_reader.question import ask_parse, ask_plan, ask_read

READ: dict[str, Any] = dict.fromkeys(["each", "fields", "shape", "dump", "where", "prefixes", "limit"])
PARSE: dict[str, Any] = dict.fromkeys(["emit", "fields", "kinds", "limit"])
PLAN: dict[str, Any] = dict.fromkeys(["each", "fields", "shape", "dump", "where", "prefixes"])


def read(path: Any, options: dict[str, Any] | None = None, **given: Any) -> list[str]:
    """The command line of `read`, without what all have."""
    question = ask_read(path, **{**READ, "infer": False, **given}, options=options or {})
    line = question.command_line(None)
    return [argument for argument in line if argument not in ("--format=arrows", "--allow-empty", "--quiet")]


def read_pages(**options: Any) -> list[str]:
    """The options of a command line that reads pages."""
    return read("a", options, dump="pages")[1:-2]


class Read(unittest.TestCase):
    """`read`."""

    def test_fields_of_elements(self) -> None:
        expected = ["select", "--field=id:integer=@Id", "--field=title=Title", "--", "row", "a.xml", "b.xml"]
        self.assertEqual(read(["a.xml", Path("b.xml")], each="row", fields=["id:integer=@Id", "title=Title"]), expected)
        fields = {"id:integer": "@Id", "title": "Title"}
        self.assertEqual(read(("a.xml", "b.xml"), each="row", fields=fields), expected)

    def test_several_elements_conditions_prefixes_and_a_limit(self) -> None:
        line = read("a", each=["x:b", "c"], shape="s.json", where=["n>3", "t"], prefixes={"x": "urn:x"}, limit=0)
        options = ["--limit=0", "--path=c", "--shape=s.json", "--where=n>3", "--where=t", "--prefix=x=urn:x"]
        self.assertEqual(line, ["select", *options, "--", "x:b", "a"])

    def test_a_shape_as_data_goes_into_a_file(self) -> None:
        question = ask_read("a", **{**READ, "each": "b", "shape": {"c": "d"}, "infer": False}, options={})
        self.assertEqual(question.shape, {"c": "d"})
        self.assertEqual(question.command_line("/x/s.json")[:2], ["select", "--shape=/x/s.json"])

    def test_infer(self) -> None:
        self.assertEqual(read("a", infer=True), ["select", "--infer", "--", "a"])
        self.assertEqual(read("a", infer=True, each="b"), ["select", "--infer", "--each=b", "--", "a"])

    def test_dumps(self) -> None:
        self.assertEqual(read("a", dump="pages"), ["pages", "--", "a"])
        line = read("a", dump="revisions", fields=["id", "by=revision/contributor"])
        self.assertEqual(line, ["revisions", "--fields=id,by=revision/contributor", "--", "a"])

    def test_a_file_may_have_a_name_like_an_option(self) -> None:
        self.assertEqual(read("--help", dump="pages"), ["pages", "--", "--help"])

    def test_options_are_written_as_on_the_command_line(self) -> None:
        self.assertEqual(
            read_pages(ns=[0, "Template"], on_error="skip-page"), ["--ns=0,Template", "--on-error=skip-page"]
        )
        self.assertEqual(read_pages(strict=True, check_all_fields=False, model=None), ["--strict"])
        self.assertEqual(read_pages(namespaces=False, warnings=True), ["--no-namespaces", "--warnings"])
        self.assertEqual(read_pages(ids=range(3), max_retained=1000), ["--ids=0,1,2", "--max-retained=1000"])
        self.assertEqual(read_pages(titles=["@home", "b, c"], title="-x"), ["--titles=|@home|b, c", "--title=-x"])
        self.assertEqual(read_pages(titles=Path("t.txt")), ["--titles=t.txt"])

    def test_times_are_those_of_the_world(self) -> None:
        day, zone = datetime.date(2026, 1, 31), datetime.timezone(datetime.timedelta(hours=1))
        time = datetime.datetime(2026, 1, 31, 12, 30, tzinfo=zone)
        self.assertEqual(read_pages(since=day, until=time), ["--since=2026-01-31", "--until=2026-01-31T11:30:00Z"])
        with self.assertRaisesRegex(UsageError, "since: a time needs a time zone"):
            read_pages(since=datetime.datetime(2026, 1, 31))

    def test_what_is_missing_or_does_not_fit_is_an_error(self) -> None:
        for message, given in [
            ("say what records are", {}),
            ("say what records are", {"fields": ["a"]}),
            ("say what is in records", {"each": "a"}),
            ("infer finds all fields", {"infer": True, "fields": ["a"]}),
            ("each is for other XML", {"dump": "pages", "each": "a"}),
            ("where is for other XML", {"dump": "pages", "where": "a"}),
            ('dump is "pages" or "revisions"', {"dump": "page"}),
        ]:
            with self.subTest(message=message, given=given), self.assertRaisesRegex(UsageError, message):
                read("a.xml", **given)
        for name in ("format", "output", "list_fields"):
            with self.subTest(name=name), self.assertRaisesRegex(UsageError, "records are given to the program"):
                read_pages(**{name: "a"})
        with self.assertRaisesRegex(UsageError, "prefix is called prefixes"):
            read_pages(prefix="a=b")

    def test_inputs_are_paths(self) -> None:
        for path in ("-", "", []):
            with self.subTest(path=path), self.assertRaises(UsageError):
                read(path, infer=True)
        for path in (b"a", [b"a"], [None]):
            with self.subTest(path=path), self.assertRaises(TypeError):
                read(path, infer=True)
        with self.assertRaises(TypeError):
            read("a", each="b", fields="title")
        with self.assertRaisesRegex(TypeError, "ns: object"):
            read_pages(ns=object())

    def test_skipped_errors_are_no_failure_if_that_was_wanted(self) -> None:
        for on_error, codes in (("stop", {0}), ("skip-page", {0, 1}), (None, {0})):
            question = ask_read("a", **{**READ, "infer": False, "dump": "pages"}, options={"on_error": on_error})
            self.assertEqual(question.accepted, codes)


class ParseAndPlan(unittest.TestCase):
    """`parse` and `plan`."""

    def test_parse(self) -> None:
        given = {"emit": ["a", "b"], "fields": ["c", "d"], "kinds": {"c": "integer"}, "limit": 3}
        question = ask_parse("x.log", **{**PARSE, "grammar": Path("g.bnf"), **given}, options={"entry": "e"})
        options = ["--grammar=g.bnf", "--emit=a,b", "--fields=c,d", "--as=c=integer", "--limit=3", "--entry=e"]
        self.assertEqual(question.command_line(None)[4:], [*options, "--", "x.log"])

    def test_plan(self) -> None:
        given = {"each": ["row", "item"], "fields": {"id": "@Id"}, "where": "id"}
        question = ask_plan("a.xml", **{**PLAN, **given}, options={"cuts": "guessed", "ranges": None})
        options = ["--format=arrows", "--cuts=guessed", "--each=row,item", "--field=id=@Id", "--where=id"]
        self.assertEqual(question.command_line(None), ["plan", *options, "--", str(Path("a.xml").absolute())])

    def test_plans_of_dumps(self) -> None:
        question = ask_plan("http://a/b.bz2", **{**PLAN, "dump": "revisions", "fields": ["id"]}, options={"ns": 0})
        options = ["--format=arrows", "--ns=0", "--revisions", "--fields=id"]
        self.assertEqual(question.command_line(None), ["plan", *options, "--", "http://a/b.bz2"])
