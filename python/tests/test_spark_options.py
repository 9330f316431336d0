"""The options of a DataFrame."""

from __future__ import annotations

import json
import unittest

from pyspark_xylem.options import read_options
from xylem_reader import UsageError

from .fixture import DUMP, POSTS

_POSTS = {"path": str(POSTS), "each": "row", "fields": "id:integer=@Id, title=@Title"}


class OptionsTest(unittest.TestCase):
    """What users write becomes what `xylem_reader` takes."""

    def test_names_have_no_case(self) -> None:
        given = {"PATH": str(DUMP), "dump": "pages", "rangesize": "2000", "Range_Size": "3000", "OnError": "skip-page"}
        options = read_options(given)
        self.assertEqual(options.question, {"dump": "pages", "on_error": "skip-page"})
        self.assertEqual(options.cutting, {"range_size": "3000", "cuts": "guessed"})

    def test_paths_are_one_or_a_list_of_json(self) -> None:
        self.assertEqual(read_options(_POSTS).paths, [str(POSTS)])
        both = {"paths": json.dumps([str(POSTS), str(DUMP)]), "dump": "pages"}
        self.assertEqual(read_options(both).paths, [str(POSTS), str(DUMP)])

    def test_lists_have_commas_or_are_json(self) -> None:
        self.assertEqual(read_options(_POSTS).question["fields"], ["id:integer=@Id", "title=@Title"])
        fields = json.dumps({"id": "@Id"})
        self.assertEqual(read_options({**_POSTS, "fields": fields}).question["fields"], {"id": "@Id"})
        self.assertEqual(read_options({**_POSTS, "each": "node,way"}).question["each"], ["node", "way"])

    def test_a_shape_is_json_or_the_path_of_a_file(self) -> None:
        self.assertEqual(read_options({**_POSTS, "shape": ' {"id": "@Id"}'}).question["shape"], {"id": "@Id"})
        self.assertEqual(read_options({**_POSTS, "shape": "a.json"}).question["shape"], "a.json")

    def test_a_condition_is_a_text_and_several_are_json(self) -> None:
        self.assertEqual(read_options({**_POSTS, "where": "id>1"}).question["where"], ["id>1"])
        several = json.dumps(["id>1", "title"])
        self.assertEqual(read_options({**_POSTS, "where": several}).question["where"], ["id>1", "title"])

    def test_prefixes_are_pairs(self) -> None:
        self.assertEqual(
            read_options({**_POSTS, "prefixes": "a=urn:a b=urn:b"}).question["prefixes"], {"a": "urn:a", "b": "urn:b"}
        )

    def test_what_is_false_is_not_asked_for(self) -> None:
        options = read_options({**_POSTS, "infer": "false", "lenient": "FALSE", "namespaces": "false"})
        self.assertEqual({name for name in options.question}, {"each", "fields", "namespaces"})

    def test_cuts_are_guessed_in_dumps_alone(self) -> None:
        self.assertEqual(read_options(_POSTS).cutting, {"cuts": "verified"})
        self.assertEqual(read_options({**_POSTS, "cuts": "guessed"}).cutting, {"cuts": "guessed"})
        self.assertEqual(read_options({"path": str(DUMP), "dump": "pages"}).cutting, {"cuts": "guessed"})

    def test_an_option_that_there_is_not_is_an_error_with_the_closest_one(self) -> None:
        with self.assertRaisesRegex(UsageError, "^there is no option rangesise; did you mean range_size\\?$"):
            read_options({**_POSTS, "rangesise": "1"})
        with self.assertRaisesRegex(UsageError, "^there is no option rowtag$"):
            read_options({**_POSTS, "rowtag": "row"})

    def test_a_value_that_an_option_does_not_have_is_an_error(self) -> None:
        for name, value in {"infer": "yes", "ranges": "many", "shape": "{", "where": "[", "prefixes": "a"}.items():
            with self.subTest(name), self.assertRaisesRegex(UsageError, f"^the option {name}: "):
                read_options({**_POSTS, name: value})

    def test_filters_are_pushed_only_for_one_query(self) -> None:
        self.assertFalse(read_options(_POSTS).is_pushed)
        self.assertFalse(read_options({**_POSTS, "pushdown": "false"}).is_pushed)
        self.assertTrue(read_options({**_POSTS, "pushdown": "once"}).is_pushed)
        with self.assertRaisesRegex(UsageError, "use the option where instead"):
            read_options({**_POSTS, "pushdown": "true"})

    def test_what_a_grammar_reads_is_not_cut(self) -> None:
        options = read_options({"path": str(POSTS), "grammar": "@combined", "emit": "line"})
        self.assertEqual(options.question, {"grammar": "@combined", "emit": ["line"]})
        for name, value in {"reports": "/tmp/reports", "ranges": "2"}.items():
            with self.subTest(name), self.assertRaisesRegex(UsageError, "is not cut"):
                read_options({"path": str(POSTS), "grammar": "@combined", name: value})

    def test_a_path_is_needed(self) -> None:
        with self.assertRaisesRegex(UsageError, "name the files"):
            read_options({"dump": "pages"})
