"""Which fields of a shape are read, and what kinds these have."""

from __future__ import annotations

import unittest

from pyspark_xylem.shape import fields_of, kinds_of, pruned

_SHAPE = {
    "id": {"path": "@id", "as": "integer"},
    "title": "title",
    "tags": ["tag"],
    "author": {"of": "author", "fields": {"name": "name", "born": {"path": "@born", "as": "date", "late": True}}},
    "deleted": {"path": "@deleted", "as": "boolean", "hidden": True},
    "locked": {"path": "locked", "as": "present"},
}


class ShapeTest(unittest.TestCase):
    def test_fields_that_nobody_asks_for_are_not_read(self) -> None:
        self.assertEqual(pruned(_SHAPE, ["title"]), {"title": "title", "deleted": _SHAPE["deleted"]})

    def test_fields_that_conditions_see_are_hidden(self) -> None:
        shape = pruned(_SHAPE, ["title"], ["id", "tags"])
        hidden = {"path": "@id", "as": "integer", "hidden": True}
        self.assertEqual(shape["id"], hidden)
        self.assertEqual(shape["tags"], [{"path": "tag", "hidden": True}])

    def test_the_rest_needs_all_other_fields(self) -> None:
        shape = {**_SHAPE, "rest": {"as": "rest"}}
        self.assertEqual(pruned(shape, ["rest"]), shape)
        self.assertEqual(list(pruned(shape, ["id"])), ["id", "deleted"])

    def test_kinds_are_those_of_single_values_that_conditions_can_see(self) -> None:
        self.assertEqual(kinds_of(_SHAPE), {("id",): "integer", ("title",): "string", ("author", "name"): "string"})

    def test_fields_of_dumps_are_named_as_they_were_given(self) -> None:
        given = ["id", "title", "size:integer=revision/text/@bytes"]
        self.assertEqual(fields_of(["size", "id", "ns"], given), [given[2], "id", "ns"])
        self.assertEqual(
            fields_of(["by"], {"by": "revision/contributor/username"}), ["by=revision/contributor/username"]
        )
