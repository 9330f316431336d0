"""xylem beside Spark's own reader of XML, on a dump of pages: `python -m engines.bench [--ranges 1,2,4] [--rounds 3] FILE…`.

A job counts the pages, and sums over ids, titles and texts; both readers have the schema of these. They take turns, and must give the
same sums. Prints a line of JSON for each job, and at the end the medians and their ratio.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f

from .processes import NODE, find_descendants

TICKS = os.sysconf("SC_CLK_TCK")
#: The largest size that a session of Java may have, so that its memory can be compared.
HEAP = "2g"


class ProcessWatch:
    """The seconds of processors, and the largest memory in MB, of the processes of this session by what they run."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, int], float] = {}
        self._memory: dict[str, int] = {}
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self) -> None:
        """Forgets what was used before."""
        self._before = self._sums()
        self._memory = {}

    def end(self) -> tuple[dict[str, float], dict[str, int]]:
        """What was used since then."""
        time.sleep(0.3)
        sums = self._sums()
        return {kind: round(sums[kind] - self._before.get(kind, 0), 1) for kind in sums}, dict(self._memory)

    def _sums(self) -> dict[str, float]:
        sums: dict[str, float] = {}
        for (kind, _), seconds in [*self._seconds.items()]:
            sums[kind] = sums.get(kind, 0) + seconds
        return sums

    def _watch(self) -> None:
        while True:
            for pid, (kind, seconds, memory) in _processes().items():
                self._seconds[kind, pid] = max(seconds, self._seconds.get((kind, pid), 0))
                self._memory[kind] = max(memory, self._memory.get(kind, 0))
            time.sleep(0.1)


def _processes() -> dict[int, tuple[str, float, int]]:
    """The processes that descend from this one: what they run, the seconds that they have used, and their memory in MB."""
    found: dict[int, tuple[str, float, int]] = {}
    for pid in find_descendants(""):
        try:
            status = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        kind = "java" if b"java" in line.split(b"\0")[0] else "node" if NODE.encode() in line else "python"
        seconds = (int(status[11]) + int(status[12])) / TICKS
        found[pid] = (kind, seconds, int(status[21]) * os.sysconf("SC_PAGE_SIZE") // 1_000_000)
    return found


def sums(frame: DataFrame) -> tuple[Any, ...]:
    """What a job computes."""
    row = frame.agg(f.count("*"), f.sum("id"), f.sum(f.length("title")), f.sum(f.length("revision.text"))).first()
    return tuple(row or ())


def with_xylem(spark: SparkSession, file: str, ranges: int) -> DataFrame:
    """The pages of a dump in ranges."""
    schema = "id long, title string, revision struct<text string>"
    return spark.read.format("xylem").option("dump", "pages").option("ranges", ranges).schema(schema).load(file)


def with_spark(spark: SparkSession, file: str) -> DataFrame:
    """The same by Spark itself."""
    schema = "id long, title string, revision struct<text struct<_VALUE string>>"
    reader = spark.read.format("xml").option("rowTag", "page").option("ignoreSurroundingSpaces", "false")
    return (
        reader.schema(schema)
        .load(file)
        .selectExpr("id", "title", "named_struct('text', revision.text._VALUE) revision")
    )


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser(prog="python -m engines.bench")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--ranges", default="2", help="into how many ranges a file is cut, or several such numbers")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args()
    builder = SparkSession.builder.master(f"local[{given.cores}]").config("spark.driver.memory", HEAP)
    builder = builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    spark = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    watch = ProcessWatch()
    for file in given.files:
        ways: dict[str, Callable[[], DataFrame]] = {"Spark": lambda file=file: with_spark(spark, file)}
        for count in map(int, given.ranges.split(",")):
            ways[f"xylem, ranges: {count}"] = lambda file=file, count=count: with_xylem(spark, file, count)
        measure(file, ways, given.rounds, watch)
    spark.stop()


def measure(file: str, ways: dict[str, Callable[[], DataFrame]], rounds: int, watch: ProcessWatch) -> None:
    """Runs all ways by turns. The first round is not counted: Java compiles then."""
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    results = set()
    for round_number in range(rounds + 1):
        for way, open_frame in ways.items():
            watch.begin()
            start = time.monotonic()
            results.add(sums(open_frame()))
            elapsed = time.monotonic() - start
            processors, memory = watch.end()
            if round_number == 0:
                continue
            seconds[way].append(elapsed)
            said = {"processors": processors, "memory": memory, "load": round(os.getloadavg()[0], 1)}
            print(json.dumps({"file": file, "way": way, "seconds": round(elapsed, 1), **said}), flush=True)
    if len(results) != 1:
        sys.exit(f"{file}: the sums differ: {results}")
    medians = {way: statistics.median(times) for way, times in seconds.items()}
    for way, median in medians.items():
        print(f"{file}: {way}: {median:.1f} s, {medians['Spark'] / median:.2f} times as fast as Spark", flush=True)


if __name__ == "__main__":
    main()
