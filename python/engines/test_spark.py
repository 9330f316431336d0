"""What Spark reads in one process with two threads."""

from __future__ import annotations

import json
import os
import shutil
import stat
import threading
import unittest
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import functions as f

import pyspark_xylem
import xylem_reader
from xylem_reader.node import find_node

from .inputs import sums_of, write_dump, write_row_in_long_comment, write_rows
from .processes import NODE, PYTHON_WORKER, find_descendants, kill_one, wait_for
from .server import serve
from .session import VERSION, SparkTest

PAGES = 3000
#: What is asked of pages.
FIELDS = ["id", "title", "revision.text"]
SHAPE = {
    "id": {"path": "@id", "as": "integer"},
    "at": {"path": "@at", "as": "date"},
    "score": {"path": "@score", "as": "number"},
    "name": "name",
    "tags": ["tag"],
    "first": {"of": "tag", "fields": {"value": "."}},
}


#: Filters that are pushed, and some that are not.
FILTERS = [
    *(
        "id = 7",
        "id <> 7",
        "id > 990",
        "id >= 990",
        "id < 9",
        "id <= 9",
        "id in (1, 5, 1000)",
        "id not in (1, 5)",
        "id <=> 7",
    ),
    *("not (id <=> 7)", "score = 1.25", "score > 240.5", "score in (1.25, 2.5)", "name = '  N4 \"x\" '", "name <> 'a'"),
    *(
        "name like '  N4%'",
        "name like '%x\" '",
        "name like '%N99%'",
        "name not like '%N9%'",
        "name is null",
        "name is not null",
    ),
    *("name in ('  N4 \"x\" ', 'b')", "name < '  N5'", "at = '2026-03-28 20:00:07.25'", "at > '2026-03-28 20:16:00'"),
    *("at < '2026-03-28 20:00:07.2504'", "tags is null", "size(tags) = 0", "first.value = 't0'", "first.value is null"),
    *(
        "first is null",
        "id = 1 or id = 2",
        "id > 5 and name is null and score < 9",
        "id % 2 = 0",
        "id = 1e0",
        "id is null",
    ),
]


def sums(frame: Any) -> tuple[Any, ...]:
    """What `sums_of` computes, computed by Spark."""
    text = f.col("revision.text")
    columns = [f.count("*"), f.sum("id"), f.sum(f.crc32("title")), f.sum(f.crc32(text)), f.sum(f.length(text))]
    return tuple(frame.agg(*columns).first())


class Spark(SparkTest):
    """Reading as Spark does it by itself: the data source is found by the name of its module."""

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.dump = write_dump(cls.folder / "dump.xml.bz2", PAGES)
        cls.plain = write_dump(cls.folder / "dump.xml", PAGES)
        cls.rows = write_rows(cls.folder / "rows.xml", 1000)
        cls.expected = sums_of(xylem_reader.read(cls.plain, dump="pages", fields=FIELDS).read_all())

    def pages(self, path: Path | str, **options: Any) -> Any:
        return self.load(path, dump="pages", fields=",".join(FIELDS), **options)

    # Values

    def test_sums_over_ranges_are_those_of_the_command_line(self) -> None:
        for path, size in ((self.dump, 100_000), (self.plain, 1_000_000), (self.dump, 10**9), (self.plain, 10**9)):
            with self.subTest(path=path.name, size=size):
                frame = self.pages(path, rangeSize=size)
                self.assertEqual(frame.rdd.getNumPartitions() > 3, size < 10**9)
                self.assertEqual(sums(frame), self.expected)

    def test_several_files_are_one_table(self) -> None:
        self.assertEqual(self.load(self.dump, self.plain, dump="pages").count(), 2 * PAGES)
        self.assertEqual(self.load(f"{self.folder}/dump.{{xml,xml.bz2}}", dump="pages").count(), 2 * PAGES)

    def test_values_of_dumps_are_those_of_the_command_line(self) -> None:
        table = xylem_reader.read(self.plain, dump="revisions").read_all()
        frame = self.load(self.dump, dump="revisions", rangeSize=100_000)
        self.assertEqual(
            [nested(row.asDict(True)) for row in frame.collect()], [nested(row) for row in table.to_pylist()]
        )

    def test_values_of_rows_are_those_of_the_command_line(self) -> None:
        table = xylem_reader.read(self.rows, each="row", shape=SHAPE).read_all()
        frame = self.load(self.rows, each="row", shape=json.dumps(SHAPE), ranges=4)
        self.assertEqual(frame.rdd.getNumPartitions(), 4)
        self.assertEqual(
            [nested(row.asDict(True)) for row in frame.collect()], [nested(row) for row in table.to_pylist()]
        )

    def test_what_is_inferred_is_read(self) -> None:
        for options in ({}, {"each": "row"}):
            frame = self.load(self.rows, **options, infer=True, ranges=2)
            self.assertEqual(frame.rdd.getNumPartitions(), 2 if "each" in options else 1)
            self.assertEqual(frame.agg(f.sum("id"), f.sum("score")).first(), (499500, 124875.0))
        self.assertEqual(
            self.load(self.rows, each="row", infer=True, schema="rest string").where("rest is null").count(), 1000
        )

    def test_text_of_a_grammar_is_read(self) -> None:
        log = self.folder / "access.log"
        log.write_text(
            '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326 "-" "Mozilla"\n' * 3
        )
        frame = self.load(log, grammar="@combined")
        self.assertEqual(frame.count(), 3)
        self.assertEqual(frame.first().asDict(), xylem_reader.parse(log, grammar="@combined").read_all().to_pylist()[0])

    def test_a_query_of_sql_reads_a_view(self) -> None:
        self.pages(self.dump).createOrReplaceTempView("pages")
        query = "SELECT count(*) AS n FROM pages WHERE revision.text LIKE '%&%' AND id <= 100"
        self.assertEqual(self.spark.sql(query).first().n, 100)

    def test_a_table_that_is_written_has_all_rows(self) -> None:
        path = str(self.folder / "pages.parquet")
        self.pages(self.dump, rangeSize=100_000).write.parquet(path)
        self.assertEqual(sums(self.spark.read.parquet(path)), self.expected)

    # Columns

    def test_the_schema_of_the_user_says_which_columns_are_read(self) -> None:
        frame = self.load(self.dump, dump="pages", schema="revision struct<text string>, id bigint, title string")
        self.assertEqual(frame.columns, ["revision", "id", "title"])
        self.assertEqual(sums(frame), self.expected)
        rows = self.load(self.rows, each="row", shape=json.dumps(SHAPE), where="score<1", schema="tags array<string>")
        self.assertEqual([row.tags for row in rows.collect()], [[], ["t0"], ["t0", "t1"], []])

    def test_fields_that_are_added_to_dumps_are_columns(self) -> None:
        frame = self.load(self.dump, dump="pages", fields="id,form=revision/format", schema="form string")
        self.assertEqual(frame.distinct().collect(), [("text/x-wiki",)])

    def test_values_become_what_the_schema_says(self) -> None:
        schema = "id decimal(21,2), score float, at timestamp_ntz, first struct<value string>"
        row = self.load(self.rows, each="row", shape=json.dumps(SHAPE), schema=schema).where("id = 2").first()
        self.assertEqual(row[:2] + (row[3][0],), (Decimal("2.00"), 0.5, "t0"))
        self.assertEqual(row[2], datetime(2026, 3, 29, 0, 0, 2, 250_000))

    def test_a_column_that_is_never_null_is_said_to_be(self) -> None:
        schema = "id bigint not null, tags array<string>"
        self.assertEqual(self.load(self.rows, each="row", shape=json.dumps(SHAPE), schema=schema).count(), 1000)

    def test_a_column_that_the_shape_lacks_is_an_error_when_the_query_is_planned(self) -> None:
        with self.assertRaisesRegex(AnalysisException, "there is no field titel; there are id, ns, title"):
            self.load(self.dump, dump="pages", schema="titel string").count()
        with self.assertRaisesRegex(AnalysisException, "there is no field revision.txt"):
            self.load(self.dump, dump="pages", schema="revision struct<txt string>").count()

    def test_a_type_that_cannot_be_is_an_error_when_the_query_is_planned(self) -> None:
        with self.assertRaisesRegex(AnalysisException, "tags: list<.*> cannot become string"):
            self.load(self.rows, each="row", shape=json.dumps(SHAPE), schema="tags string").count()

    # Times: the session is in New York, where the clock changes on 8 March 2026

    def test_times_are_moments_whatever_the_time_zone_of_the_session_is(self) -> None:
        frame = self.load(self.rows, each="row", shape=json.dumps(SHAPE)).where("id = 0")
        self.assertEqual(frame.select(f.col("at").cast("string")).first()[0], "2026-03-28 20:00:00.25")
        moment = datetime(2026, 3, 29, 0, 0, 0, 250_000, UTC)
        self.assertEqual(frame.select(f.unix_millis("at")).first()[0], moment.timestamp() * 1000)
        self.spark.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
        self.addCleanup(self.spark.conf.set, "spark.sql.session.timeZone", "America/New_York")
        self.assertEqual(frame.select(f.col("at").cast("string")).first()[0], "2026-03-29 09:00:00.25")

    # Filters

    def test_conditions_choose_rows(self) -> None:
        where = json.dumps(["score>=10", 'name~"N4"'])
        frame = self.load(self.rows, each="row", shape=json.dumps(SHAPE), where=where)
        self.assertEqual(frame.count(), frame.where("score >= 10 and name like '%N4%'").count())
        self.assertEqual(self.load(self.dump, dump="pages", ns="1,2").count(), PAGES * 2 // 3)

    @unittest.skipIf(VERSION < (4, 1), "Spark 4.0 does not push filters")
    def test_filters_that_are_pushed_choose_what_spark_chooses(self) -> None:
        self.spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
        self.addCleanup(self.spark.conf.unset, "spark.sql.python.filterPushdown.enabled")
        whole = self.load(self.rows, each="row", shape=json.dumps(SHAPE)).cache()
        self.addCleanup(whole.unpersist)
        for condition in FILTERS:
            with self.subTest(condition):
                pushed = self.load(self.rows, each="row", shape=json.dumps(SHAPE), pushdown="once").where(condition)
                self.assertEqual(pushed.select("id").collect(), whole.where(condition).select("id").collect())
        pages = self.load(self.dump, dump="pages", pushdown="once").where("ns in (1, 2) and id = 2")
        self.assertEqual([row.title for row in pages.collect()], ["Page 1"])

    @unittest.skipIf(VERSION < (4, 1), "Spark 4.0 does not push filters")
    def test_spark_still_uses_filters_of_another_query(self) -> None:
        # This is why filters are not pushed unless it is said that there is one query. If this test fails, Spark has been fixed.
        self.spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
        self.addCleanup(self.spark.conf.unset, "spark.sql.python.filterPushdown.enabled")
        frame = self.load(self.rows, each="row", shape=json.dumps(SHAPE), pushdown="once")
        self.assertEqual(frame.where("id = 1").count(), 1)
        self.assertEqual(frame.count(), 1)

    def test_filters_are_pushed_only_on_demand(self) -> None:
        with self.assertRaisesRegex(AnalysisException, "use the option where instead"):
            self.load(self.rows, each="row", shape=json.dumps(SHAPE), pushdown="true")

    # Errors when a query is planned

    def test_a_file_that_is_not_there_is_an_error_of_load(self) -> None:
        with self.assertRaisesRegex(AnalysisException, "/nowhere/a.xml: there is no such file"):
            self.load("/nowhere/a.xml", dump="pages")

    def test_a_wrong_option_is_an_error_of_load(self) -> None:
        for options, message in (
            ({"rowTag": "row"}, "there is no option rowtag"),
            ({"each": "row"}, "say what is in records"),
            ({"each": "row", "shape": '{"id": {"path": "@id", "as": "float"}}'}, "float"),
            ({"dump": "images"}, 'dump is "pages" or "revisions"'),
        ):
            with self.subTest(options), self.assertRaisesRegex(AnalysisException, message):
                self.load(self.rows, **options)

    def test_a_node_that_is_not_there_is_an_error_of_load(self) -> None:
        with self.assertRaisesRegex(AnalysisException, "Node cannot be run: /nowhere/node"):
            self.load(self.dump, dump="pages", node="/nowhere/node")

    # Errors in tasks

    def assert_fails(self, frame: Any, *messages: str) -> None:
        with self.assertRaises(PySparkException) as caught:
            frame.collect()
        for message in messages:
            self.assertIn(message, str(caught.exception))

    def test_a_corrupt_block_fails_with_its_place(self) -> None:
        content = bytearray(self.dump.read_bytes())
        content[len(content) * 2 // 3] ^= 0xFF
        corrupt = self.folder / "corrupt.xml.bz2"
        corrupt.write_bytes(content)
        self.assert_fails(
            self.pages(corrupt, rangeSize=100_000),
            "the checksum of a block is wrong",
            "corrupt.xml.bz2, in the range of the bytes",
        )

    def test_a_truncated_file_fails_with_its_place(self) -> None:
        truncated = self.folder / "truncated.xml"
        truncated.write_bytes(self.plain.read_bytes()[:-5000])
        self.assert_fails(
            self.pages(truncated, rangeSize=1_000_000), "truncated.xml", "in the range that starts at byte"
        )

    def test_a_value_of_another_kind_fails_with_its_place(self) -> None:
        path = self.folder / "kinds.xml"
        path.write_text('<rows>\n<row id="1"/>\n<row id="x"/>\n</rows>\n')
        fields = "id:integer=@id"
        self.assert_fails(
            self.load(path, each="row", fields=fields),
            'kinds.xml: the value "x" of the field id',
            "line 3, column 10, byte 30",
        )
        lenient = self.load(path, each="row", fields=fields, lenient=True)
        self.assertEqual([row.id for row in lenient.collect()], [1, None])

    def test_a_value_that_does_not_fit_the_schema_fails_with_its_column_and_range(self) -> None:
        schema = "name int"
        frame = self.load(self.rows, each="row", shape=json.dumps(SHAPE), schema=schema)
        self.assert_fails(frame, "name: string cannot become int32", "rows.xml, in the range of the bytes from 0 to")
        frame = self.load(self.rows, each="row", shape=json.dumps(SHAPE), schema="name string not null")
        self.assert_fails(frame, "name has no value in some record", "rows.xml, in the range of the bytes")

    def test_a_stream_that_was_cut_fails_with_its_place(self) -> None:
        node = self.fake_node('"$NODE" "$@" | (head -c 300000; cat >/dev/null)')
        self.assert_fails(
            self.pages(self.plain, node=node), "the records are not complete", "dump.xml, in the range of the bytes"
        )

    def test_a_missing_trailer_fails_with_its_place(self) -> None:
        node = self.fake_node('"$NODE" "$@" 2>/dev/null')
        self.assert_fails(
            self.pages(self.plain, node=node), "the trailer is missing", "dump.xml, in the range of the bytes"
        )

    def fake_node(self, read: str) -> str:
        """A Node that reads ranges in another way."""
        path = self.folder / f"node-{self._testMethodName}"
        path.write_text(f'#!/bin/sh\nNODE="{find_node()}"\ncase "$2" in read) {read} ;; *) exec "$NODE" "$@" ;; esac\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    # Cuts

    def test_rows_in_a_comment_where_a_file_is_cut_never_count(self) -> None:
        path = write_row_in_long_comment(self.folder / "comment.xml")
        options = {"each": "row", "fields": "id:integer=@id", "ranges": 2}
        self.assert_fails(self.load(path, cuts="guessed", **options), "comment.xml")
        frame = self.load(path, **options)
        self.assertEqual(frame.rdd.getNumPartitions(), 2)
        self.assertEqual(frame.agg(f.count("*"), f.sum("id")).first(), (200, 9900))

    # Reports

    def test_reports_of_all_ranges_prove_that_everything_was_read(self) -> None:
        reports = self.folder / "reports"
        frame = self.pages(self.dump, rangeSize=100_000, reports=str(reports))
        ranges = frame.rdd.getNumPartitions()
        self.assertEqual(frame.count(), PAGES)
        [totals] = pyspark_xylem.check(reports)
        self.assertEqual((totals["parts"], totals["records"]), (ranges, PAGES))
        [manifest, *_] = reports.glob("*/_manifest/*.json")
        manifest.unlink()
        with self.assertRaisesRegex(xylem_reader.XylemError, "missing"):
            pyspark_xylem.check(reports)

    def test_reports_of_different_states_of_a_file_are_refused_unless_it_is_the_same(self) -> None:
        reports = self.folder / "states"
        path = self.folder / "states.xml"
        shutil.copy(self.dump, path)
        frame = self.pages(path, rangeSize=100_000, reports=str(reports))
        self.assertEqual(frame.count(), PAGES)
        [manifest, *_] = reports.glob("*/_manifest/*.json")
        report = manifest.read_text()
        os.utime(path, (1, 1))
        self.assertEqual(self.pages(path, rangeSize=100_000, reports=str(reports)).count(), PAGES)
        manifest.write_text(report)
        with self.assertRaisesRegex(xylem_reader.XylemError, "has changed between the ranges"):
            pyspark_xylem.check(reports)
        [totals] = pyspark_xylem.check(reports, verify_inputs=True)
        self.assertEqual(totals["records"], PAGES)

    def test_a_query_that_stops_early_proves_nothing(self) -> None:
        reports = self.folder / "early"
        self.assertEqual(len(self.pages(self.dump, rangeSize=100_000, reports=str(reports)).take(3)), 3)
        with self.assertRaises(xylem_reader.XylemError):
            pyspark_xylem.check(reports)

    # Processes

    def assert_no_process_stays(self) -> None:
        wait_for(lambda: not find_descendants(NODE), "the end of all processes of xylem", 10)

    def test_a_limit_leaves_no_process(self) -> None:
        self.assertEqual(len(self.pages(self.dump, rangeSize=100_000).take(1)), 1)
        self.assert_no_process_stays()

    def test_a_cancelled_job_leaves_no_process(self) -> None:
        caught: list[BaseException] = []

        def run() -> None:
            try:
                sums(self.pages(self.dump, rangeSize=200_000))
            except Exception as error:
                caught.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        wait_for(lambda: find_descendants(NODE + " read"), "a process that reads")
        self.spark.sparkContext.cancelAllJobs()
        thread.join(60)
        self.assertIn("cancelled", str(caught[0]))
        self.assert_no_process_stays()

    def test_a_job_survives_the_death_of_processes(self) -> None:
        for what in (NODE + " read", PYTHON_WORKER):
            with self.subTest(what):
                killed: list[int] = []
                thread = threading.Thread(target=lambda: killed.append(kill_one(what)))
                thread.start()
                self.assertEqual(sums(self.pages(self.dump, rangeSize=200_000)), self.expected)
                thread.join(60)
                self.assertEqual(len(killed), 1)
                self.assert_no_process_stays()

    # URLs

    def test_a_url_is_read_in_ranges(self) -> None:
        with serve(self.folder) as address:
            frame = self.pages(f"{address}/dump.xml.bz2", rangeSize=100_000)
            self.assertGreater(frame.rdd.getNumPartitions(), 3)
            self.assertEqual(sums(frame), self.expected)


def nested(row: dict[str, Any]) -> dict[str, Any]:
    """A row with records instead of names with dots, and times without zones: those of pyspark have none."""
    result: dict[str, Any] = {}
    for name, value in row.items():
        *outer, last = name.split(".")
        fields = result
        for one in outer:
            fields = fields.setdefault(one, {})
        fields[last] = value.astimezone(UTC).replace(tzinfo=None) if isinstance(value, datetime) else value
    return result
