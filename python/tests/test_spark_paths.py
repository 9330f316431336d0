"""Paths as users of Spark write them."""

from __future__ import annotations

import os
import tempfile
import unittest
from pathlib import Path

from pyspark_xylem.paths import find_paths


class PathsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        for name in (
            "a1.xml",
            "a2.xml",
            "b.xml.bz2",
            "_SUCCESS",
            ".hidden",
            "c,d.xml",
            "e f.xml",
            ".a1.xml.xylem-cuts.json",
        ):
            Path(self.folder, name).touch()
        Path(self.folder, "inner").mkdir()

    def assert_found(self, given: list[str], *names: str) -> None:
        self.assertEqual(find_paths(given), [os.path.join(self.folder, name) for name in names])

    def test_a_path_is_one_file(self) -> None:
        self.assert_found([f"{self.folder}/a1.xml"], "a1.xml")

    def test_several_paths_are_all_their_files_each_once(self) -> None:
        self.assert_found(
            [f"{self.folder}/b.xml.bz2", f"{self.folder}/a*.xml", f"{self.folder}/a1.xml"],
            "b.xml.bz2",
            "a1.xml",
            "a2.xml",
        )

    def test_commas_divide_paths(self) -> None:
        self.assert_found([f"{self.folder}/a1.xml, {self.folder}/b*"], "a1.xml", "b.xml.bz2")

    def test_a_file_with_a_comma_in_its_name_is_one_path(self) -> None:
        self.assert_found([f"{self.folder}/c,d.xml"], "c,d.xml")

    def test_patterns_stand_for_files_in_the_order_of_their_names(self) -> None:
        self.assert_found([f"{self.folder}/a[12].xml"], "a1.xml", "a2.xml")
        self.assert_found([f"{self.folder}/{{a2,a1}}.{{xml,txt}}"], "a1.xml", "a2.xml")

    def test_a_folder_stands_for_its_files_that_are_data(self) -> None:
        self.assert_found([self.folder], "a1.xml", "a2.xml", "b.xml.bz2", "c,d.xml", "e f.xml")

    def test_what_xylem_keeps_beside_files_is_not_data(self) -> None:
        self.assert_found([f"{self.folder}/*a1.xml*"], "a1.xml")

    def test_uris_of_files_are_paths(self) -> None:
        self.assert_found([f"file://{self.folder}/e%20f.xml", f"file:{self.folder}/a1.xml"], "e f.xml", "a1.xml")

    def test_urls_stay_as_they_are(self) -> None:
        self.assertEqual(find_paths(["https://example.org/a.xml?b=c"]), ["https://example.org/a.xml?b=c"])

    def test_paths_are_complete_because_other_processes_have_other_folders(self) -> None:
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        self.assert_found(["a1.xml"], "a1.xml")

    def test_a_path_without_files_is_an_error(self) -> None:
        for path in (f"{self.folder}/nothing.xml", f"{self.folder}/n*.xml", f"{self.folder}/inner"):
            with self.assertRaisesRegex(FileNotFoundError, "there is no such file"):
                find_paths([path])

    def test_paths_of_object_stores_are_refused_with_a_reason(self) -> None:
        with self.assertRaisesRegex(ValueError, "s3a://bucket/a.xml: files are opened by their paths on every machine"):
            find_paths(["s3a://bucket/a.xml"])
