"""What Spark reads on a cluster of two executors, each a process of its own, while processes die."""

from __future__ import annotations

import threading
from typing import ClassVar

from pyspark.sql import functions as f

import pyspark_xylem
import xylem_reader

from .inputs import sums_of, write_dump
from .processes import EXECUTOR, NODE, PYTHON_WORKER, find_descendants, kill_one, wait_for
from .session import SparkTest

PAGES = 15_000


class Cluster(SparkTest):
    """Each job gives what one process gives, whichever process was killed meanwhile."""

    master = "local-cluster[2,1,1024]"
    settings: ClassVar[dict[str, str]] = {"spark.executor.memory": "1g", "spark.driver.bindAddress": "127.0.0.1"}

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.dump = write_dump(cls.folder / "dump.xml.bz2", PAGES)
        cls.expected = sums_of(xylem_reader.read(cls.dump, dump="pages").read_all())

    def assert_sums(self) -> None:
        frame = self.load(self.dump, dump="pages", rangeSize=1_000_000, reports=str(self.folder / self._testMethodName))
        text = f.col("revision.text")
        columns = [f.count("*"), f.sum("id"), f.sum(f.crc32("title")), f.sum(f.crc32(text)), f.sum(f.length(text))]
        self.assertGreater(frame.rdd.getNumPartitions(), 6)
        self.assertEqual(tuple(frame.agg(*columns).first()), self.expected)
        wait_for(lambda: not find_descendants(NODE), "the end of all processes of xylem", 10)
        [totals] = pyspark_xylem.check(self.folder / self._testMethodName)
        self.assertEqual(totals["records"], PAGES)

    def assert_survives(self, what: str) -> None:
        """A job during which a process is killed gives the right result."""
        killed: list[int] = []

        def kill() -> None:
            wait_for(lambda: find_descendants(f"{NODE} read"), "a process that reads")
            killed.append(kill_one(what))

        thread = threading.Thread(target=kill)
        thread.start()
        self.assert_sums()
        thread.join(60)
        self.assertEqual(len(killed), 1)

    def test_a_job_that_nothing_disturbs(self) -> None:
        self.assert_sums()

    def test_a_node_dies(self) -> None:
        self.assert_survives(f"{NODE} read")

    def test_a_worker_of_python_dies(self) -> None:
        self.assert_survives(PYTHON_WORKER)

    def test_an_executor_dies(self) -> None:
        self.assert_survives(EXECUTOR)
