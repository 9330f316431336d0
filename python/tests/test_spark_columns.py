"""Columns as an engine wants them."""

from __future__ import annotations

import unittest
from decimal import Decimal

import pyarrow as pa

from pyspark_xylem.columns import ColumnError, conform, leaf_names, nested_schema, require_columns

_RECORD = pa.struct(
    [("name", pa.string()), ("votes", pa.list_(pa.struct([("by", pa.string()), ("value", pa.float64())])))]
)
_GIVEN = pa.schema(
    [("id", pa.int64()), ("at", pa.timestamp("ms", "UTC")), ("author", _RECORD), ("tags", pa.list_(pa.string()))]
)
_ROWS = [
    {"id": 1, "at": 1000, "author": {"name": "Ada", "votes": [{"by": "x", "value": 1.5}]}, "tags": ["a", None]},
    {"id": 2, "at": None, "author": None, "tags": []},
    {"id": 3, "at": 3000, "author": {"name": None, "votes": None}, "tags": None},
]


def _batch() -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(_ROWS, _GIVEN)


class ColumnsTest(unittest.TestCase):
    def test_columns_are_picked_by_name_in_the_order_that_is_wanted(self) -> None:
        wanted = pa.schema([("tags", pa.list_(pa.string())), ("id", pa.int64())])
        batch = conform(_batch(), wanted)
        self.assertTrue(batch.schema.equals(wanted))
        self.assertEqual(batch.to_pylist(), [{"tags": row["tags"], "id": row["id"]} for row in _ROWS])

    def test_types_units_and_names_of_elements_become_those_that_are_wanted(self) -> None:
        element = pa.field("element", pa.string())
        wanted = pa.schema(
            [("at", pa.timestamp("us", "UTC")), ("id", pa.decimal128(21, 2)), ("tags", pa.list_(element))]
        )
        batch = conform(_batch(), wanted)
        batch.validate(full=True)
        self.assertTrue(batch.schema.equals(wanted, check_metadata=True))
        self.assertEqual(batch.column(0).cast(pa.int64()).to_pylist(), [1_000_000, None, 3_000_000])
        self.assertEqual(batch.column(1).to_pylist(), [Decimal(1), Decimal(2), Decimal(3)])
        self.assertEqual(batch.column(2).to_pylist(), [["a", None], [], None])

    def test_fields_of_records_are_picked_at_any_depth(self) -> None:
        inner = pa.struct([("votes", pa.list_(pa.field("element", pa.struct([("value", pa.float32())]))))])
        batch = conform(_batch(), pa.schema([("author", inner)]))
        batch.validate(full=True)
        expected = [{"votes": [{"value": 1.5}]}, None, {"votes": None}]
        self.assertEqual(batch.column(0).to_pylist(), expected)

    def test_a_part_of_a_batch_is_converted_as_the_whole(self) -> None:
        inner = pa.struct([("name", pa.string()), ("votes", pa.list_(pa.struct([("by", pa.string())])))])
        wanted = pa.schema([("author", inner), ("tags", pa.list_(pa.field("element", pa.string())))])
        whole = conform(_batch(), wanted).to_pylist()
        for begin in range(len(_ROWS)):
            part = conform(_batch().slice(begin, 2), wanted)
            part.validate(full=True)
            self.assertEqual(part.to_pylist(), whole[begin : begin + 2])

    def test_a_field_that_is_not_there_is_an_error_with_the_names_that_are(self) -> None:
        with self.assertRaisesRegex(ColumnError, "^there is no field nam; there are id, at, author, tags$"):
            conform(_batch(), pa.schema([("nam", pa.string())]))
        with self.assertRaisesRegex(ColumnError, "^there is no field author.nam; there are name, votes in author$"):
            conform(_batch(), pa.schema([("author", pa.struct([("nam", pa.string())]))]))

    def test_a_value_that_does_not_fit_is_an_error_with_the_name_of_its_column(self) -> None:
        batch = pa.RecordBatch.from_pylist([{"id": "x"}])
        with self.assertRaisesRegex(ColumnError, "^id: string cannot become int64: .*'x'"):
            conform(batch, pa.schema([("id", pa.int64())]))
        with self.assertRaisesRegex(ColumnError, "^id: int64 cannot become int8"):
            conform(pa.RecordBatch.from_pylist([{"id": 300}]), pa.schema([("id", pa.int8())]))

    def test_a_column_that_is_never_null_must_have_all_values(self) -> None:
        wanted = pa.schema([pa.field("at", pa.timestamp("ms", "UTC"), nullable=False)])
        with self.assertRaisesRegex(ColumnError, "^at has no value in some record"):
            conform(_batch(), wanted)
        self.assertTrue(conform(_batch().slice(2), wanted).schema.equals(wanted))
        tags = pa.field("tags", pa.list_(pa.field("element", pa.string(), nullable=False)))
        with self.assertRaisesRegex(ColumnError, r"^tags\[\] has no value in some record"):
            conform(_batch(), pa.schema([tags]))

    def test_types_that_cannot_become_others_are_found_without_records(self) -> None:
        require_columns(_GIVEN, pa.schema([("at", pa.timestamp("us", "UTC")), ("id", pa.int32())]))
        with self.assertRaisesRegex(ColumnError, "^tags: list<.*> cannot become string"):
            require_columns(_GIVEN, pa.schema([("tags", pa.string())]))

    def test_names_with_dots_are_records(self) -> None:
        flat = pa.schema([("id", pa.int64()), ("revision.text", pa.string()), ("revision.contributor.id", pa.int64())])
        nested = nested_schema(flat)
        contributor = pa.struct([("id", pa.int64())])
        self.assertEqual(
            nested,
            pa.schema(
                [("id", pa.int64()), ("revision", pa.struct([("text", pa.string()), ("contributor", contributor)]))]
            ),
        )
        self.assertEqual(leaf_names(nested.field("revision")), ["revision.text", "revision.contributor.id"])
        row = {"id": 1, "revision.text": "a", "revision.contributor.id": 2}
        batch = conform(pa.RecordBatch.from_pylist([row], flat), nested)
        self.assertEqual(batch.to_pylist(), [{"id": 1, "revision": {"text": "a", "contributor": {"id": 2}}}])
