"""Filters of Spark as conditions of xylem. The classes of Spark are stood in for, because only their names count."""

from __future__ import annotations

import unittest
from dataclasses import make_dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from pyspark_xylem.filters import conditions_of, only_values

_BINARY = ("EqualTo", "EqualNullSafe", "GreaterThan", "GreaterThanOrEqual", "LessThan", "LessThanOrEqual", "In")
_TEXTS = ("StringStartsWith", "StringEndsWith", "StringContains")
_CLASSES: dict[str, Any] = {
    **{name: make_dataclass(name, ["attribute", "value"]) for name in (*_BINARY, *_TEXTS)},
    **{name: make_dataclass(name, ["attribute"]) for name in ("IsNull", "IsNotNull")},
    "Not": make_dataclass("Not", ["child"]),
}
_KINDS = {
    ("id",): "integer",
    ("big",): "int64",
    ("title",): "string",
    ("size",): "number",
    ("at",): "date",
    ("locked",): "boolean",
    ("author", "name"): "string",
}


def _filter(name: str, column: str, *value: Any) -> Any:
    return _CLASSES[name](tuple(column.split(".")), *value)


def _not(filter: Any) -> Any:
    return _CLASSES["Not"](filter)


class FiltersTest(unittest.TestCase):
    def assert_becomes(self, filter: Any, *conditions: str) -> None:
        self.assertEqual(conditions_of(filter, _KINDS), list(conditions), filter)

    def assert_stays(self, filter: Any) -> None:
        self.assertIsNone(conditions_of(filter, _KINDS), filter)

    def test_a_comparison_becomes_a_field_a_sign_and_a_value(self) -> None:
        self.assert_becomes(_filter("EqualTo", "id", 7), 'id="7"')
        self.assert_becomes(_filter("EqualNullSafe", "id", 7), 'id="7"')
        self.assert_becomes(_not(_filter("EqualTo", "id", 7)), 'id!="7"')
        self.assert_becomes(_filter("GreaterThan", "id", 7), 'id>"7"')
        self.assert_becomes(_filter("GreaterThanOrEqual", "big", -7), 'big>="-7"')
        self.assert_becomes(_filter("LessThan", "size", 1.5), 'size<"1.5"')
        self.assert_becomes(_filter("LessThanOrEqual", "size", 1e300), 'size<="1e+300"')
        self.assert_becomes(_filter("EqualTo", "locked", True), 'locked="true"')

    def test_a_field_of_a_record_is_named_with_dots(self) -> None:
        self.assert_becomes(_filter("EqualTo", "author.name", "Ada"), 'author.name="Ada"')

    def test_texts_are_taken_as_they_are(self) -> None:
        self.assert_becomes(_filter("EqualTo", "title", ' "a" < b\n'), 'title=" "a" < b\n"')
        self.assert_becomes(_filter("EqualTo", "title", ""), 'title=""')

    def test_texts_are_not_compared_because_spark_orders_them_in_another_way(self) -> None:
        self.assert_stays(_filter("GreaterThan", "title", "a"))
        self.assert_stays(_filter("LessThanOrEqual", "title", "a"))

    def test_beginnings_ends_and_parts_of_texts_become_regular_expressions(self) -> None:
        self.assert_becomes(_filter("StringStartsWith", "title", "a.b"), 'title~"^a\\.b"')
        self.assert_becomes(_filter("StringEndsWith", "title", "(1/2)"), 'title~"\\(1\\/2\\)$"')
        self.assert_becomes(_filter("StringContains", "title", "a-b"), 'title~"a-b"')
        self.assert_stays(_not(_filter("StringContains", "title", "a")))

    def test_values_of_which_one_is_wanted_become_one_condition(self) -> None:
        self.assert_becomes(_filter("In", "id", (1, 2)), 'id~"^(?:1|2)$"')
        self.assert_becomes(_filter("In", "title", ("a|b", "c")), 'title~"^(?:a\\|b|c)$"')
        self.assert_becomes(_filter("In", "size", (1.5,)), 'size="1.5"')
        self.assert_becomes(_not(_filter("In", "id", (1, 2))), 'id!="1"', 'id!="2"')
        self.assert_stays(_filter("In", "size", (1.5, 2.5)))
        self.assert_stays(_filter("In", "id", ()))
        self.assert_stays(_filter("In", "id", (1, None)))
        self.assert_stays(_filter("In", "id", tuple(range(1001))))

    def test_presence_becomes_a_field_alone(self) -> None:
        self.assert_becomes(_filter("IsNotNull", "title"), "title")
        self.assert_becomes(_filter("IsNull", "title"), "!title")
        self.assert_becomes(_not(_filter("IsNull", "title")), "title")

    def test_dates_are_written_in_utc_with_milliseconds(self) -> None:
        at = datetime(2026, 1, 2, 3, 4, 5, 6000, tzinfo=timezone(timedelta(hours=-5)))
        self.assert_becomes(_filter("GreaterThan", "at", at), 'at>"2026-01-02T08:04:05.006Z"')
        early = datetime(99, 1, 2, tzinfo=UTC)
        self.assert_becomes(_filter("LessThan", "at", early), 'at<"0099-01-02T00:00:00.000Z"')
        self.assert_stays(_filter("GreaterThan", "at", at + timedelta(microseconds=1)))
        self.assert_stays(_filter("GreaterThan", "at", at.replace(tzinfo=None)))

    def test_what_decides_in_another_way_stays_with_spark(self) -> None:
        # Records without a value are wanted, too.
        self.assert_stays(_not(_filter("EqualNullSafe", "id", 7)))
        self.assert_stays(_not(_filter("GreaterThan", "id", 7)))
        self.assert_stays(_filter("EqualTo", "id", None))
        self.assert_stays(_filter("EqualTo", "id", True))
        self.assert_stays(_filter("EqualTo", "id", 2**53))
        self.assert_stays(_filter("EqualTo", "size", float("nan")))
        self.assert_stays(_filter("EqualTo", "size", 7))
        self.assert_stays(_filter("EqualTo", "title", 7))
        self.assert_stays(_filter("EqualTo", "unknown", 7))
        self.assert_stays(_filter("EqualTo", "author", 7))

    def test_a_name_with_signs_of_conditions_stays_with_spark(self) -> None:
        kinds = {("a<b",): "integer", ("a b",): "integer", ("@id",): "integer"}
        self.assertIsNone(conditions_of(_CLASSES["EqualTo"](("a<b",), 1), kinds))
        self.assertEqual(conditions_of(_CLASSES["EqualTo"](("a b",), 1), kinds), ['a b="1"'])
        self.assertEqual(conditions_of(_CLASSES["EqualTo"](("@id",), 1), kinds), ['@id="1"'])

    def test_whole_numbers_that_a_field_may_have_are_listed(self) -> None:
        self.assertEqual(only_values(_filter("EqualTo", "ns", 0), ("ns",)), [0])
        self.assertEqual(only_values(_filter("In", "ns", (0, 14)), ("ns",)), [0, 14])
        self.assertIsNone(only_values(_filter("EqualTo", "id", 0), ("ns",)))
        self.assertIsNone(only_values(_not(_filter("EqualTo", "ns", 0)), ("ns",)))
        self.assertIsNone(only_values(_filter("GreaterThan", "ns", 0), ("ns",)))
        self.assertIsNone(only_values(_filter("EqualTo", "ns", None), ("ns",)))
