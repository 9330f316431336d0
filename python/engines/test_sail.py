"""The same source in Sail, which speaks Spark's protocol without Java."""

from __future__ import annotations

import unittest

from pysail.spark import SparkConnectServer
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

import xylem_reader
from pyspark_xylem import DefaultSource

from .inputs import write_dump

PAGES = 3000


class Sail(unittest.TestCase):
    """Sail does not look for data sources. So the source is registered."""

    def test_a_dump_is_read(self) -> None:
        import tempfile
        from pathlib import Path

        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        dump = write_dump(Path(folder.name).resolve() / "dump.xml.bz2", PAGES)
        server = SparkConnectServer("127.0.0.1", 0)
        server.start()
        self.addCleanup(server.stop)
        _, port = server.listening_address
        spark = SparkSession.builder.remote(f"sc://localhost:{port}").getOrCreate()
        self.addCleanup(spark.stop)
        spark.dataSource.register(DefaultSource)
        frame = spark.read.format("xylem").option("dump", "pages").option("rangeSize", 100_000).load(str(dump))
        text = f.col("revision.text")
        row = frame.agg(f.count("*"), f.sum("id"), f.sum(f.length(text)), f.max("revision.timestamp")).first()
        table = xylem_reader.read(dump, dump="pages").read_all()
        lengths = sum(len(text) for text in table.column("revision.text").to_pylist())
        self.assertEqual(tuple(row)[:3], (PAGES, PAGES * (PAGES + 1) // 2, lengths))
