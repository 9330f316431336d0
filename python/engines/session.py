"""A session of Spark for tests."""

from __future__ import annotations

import os
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, ClassVar

# Before Java starts: without these, workers run another Python, or listen to an address that nobody reaches.
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

import pyspark
from pyspark.sql import DataFrame, SparkSession

VERSION = tuple(int(part) for part in pyspark.__version__.split(".")[:2])


class SparkTest(unittest.TestCase):
    """Tests that share a session, and a folder."""

    master: ClassVar[str] = "local[2,4]"
    settings: ClassVar[dict[str, str]] = {}
    spark: ClassVar[SparkSession]
    folder: ClassVar[Path]

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="xylem-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name).resolve()
        builder = SparkSession.builder.master(cls.master).config("spark.ui.enabled", "false")
        builder = builder.config("spark.ui.showConsoleProgress", "false")
        builder = builder.config("spark.sql.shuffle.partitions", "2").config(
            "spark.sql.session.timeZone", "America/New_York"
        )
        for name, value in cls.settings.items():
            builder = builder.config(name, value)
        cls.spark = builder.getOrCreate()
        cls.addClassCleanup(cls.spark.stop)
        cls.spark.sparkContext.setLogLevel("OFF")

    def load(self, *paths: Path | str, schema: str | None = None, **options: Any) -> DataFrame:
        """A DataFrame of files."""
        reader = self.spark.read.format("xylem").options(**options)
        reader = reader if schema is None else reader.schema(schema)
        return reader.load([str(path) for path in paths] if len(paths) > 1 else str(paths[0]))
