"""The data source of Spark, which Sail runs, too."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

import xylem_reader

from .columns import ColumnError, conform, leaf_names, nested_schema, require_columns
from .filters import conditions_of, only_values
from .options import Options, read_options
from .reports import write_plan, write_report
from .shape import fields_of, kinds_of, pruned

#: Options of samples alone, which a plan does not have.
_OF_SAMPLES = ("infer", "sample", "all")
#: Files in one plan. They stand on a command line, which has a limit.
_MOST_FILES = 2000


class DefaultSource(DataSource):
    """XML, dumps of wikis, and text of grammars, as tables. Spark registers it by the name of the module."""

    @classmethod
    def name(cls) -> str:
        """What `spark.read.format` takes."""
        return "xylem"

    def schema(self) -> StructType:
        """The columns, if the user does not say which are wanted."""
        return from_arrow_schema(self._given(read_options(self.options)), False)

    def reader(self, schema: StructType | pa.Schema) -> DataSourceReader:
        """What reads these columns. Sail gives a schema of Arrow."""
        options = read_options(self.options)
        reader = PushdownReader if options.is_pushed else XylemReader
        return reader(options, self._given(options), schema if isinstance(schema, pa.Schema) else _arrow_schema(schema))

    def _given(self, options: Options) -> pa.Schema:
        """The columns that there are. Spark keeps this object, so that they are found once."""
        if not hasattr(self, "_columns"):
            columns = xylem_reader.schema(options.paths[0], **options.question, node=options.node)
            self._columns = nested_schema(columns) if options.is_dump else columns
        return self._columns


class RangePartition(InputPartition):
    """A range of a file."""

    def __init__(self, line: str, plan: str) -> None:
        #: The line of the plan.
        self.line = line
        #: The digest of the plan.
        self.plan = plan

    def __str__(self) -> str:
        planned = json.loads(self.line)
        return f"{planned['file']}, in the range of the bytes from {planned['start']} to {planned['end']}"


class FilePartition(InputPartition):
    """A file that is not cut."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __str__(self) -> str:
        return self.path


class XylemReader(DataSourceReader):
    """Reads files in ranges, each in a process of its own, with the columns that are wanted."""

    def __init__(self, options: Options, given: pa.Schema, wanted: pa.Schema) -> None:
        require_columns(given, wanted)
        self._options = options
        self._given = given
        self._wanted = wanted

    def partitions(self) -> list[InputPartition]:
        """The ranges. Spark asks once for each DataFrame."""
        paths, node, reports = self._options.paths, self._options.node, self._options.reports
        if self._options.is_parsed:
            return [FilePartition(path) for path in paths]
        asked = {**self._planned(self._options.question), **self._options.cutting}
        partitions: list[InputPartition] = []
        for first in range(0, len(paths), _MOST_FILES):
            plan = xylem_reader.plan(paths[first : first + _MOST_FILES], **asked, node=node)
            if reports is not None:
                write_plan(reports, plan)
            partitions += [RangePartition(line, plan.digest) for line in plan.ranges]
        return partitions

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The records of a range. If this ends without an error, all of them were given."""
        reader = self._open(partition)
        with reader:
            try:
                for batch in reader:
                    yield conform(batch, self._wanted)
            except (ColumnError, xylem_reader.XylemError) as error:
                error.add_note(f"in {partition}")
                raise
            if isinstance(partition, RangePartition) and self._options.reports is not None:
                write_report(self._options.reports, partition.plan, (reader.trailer or {})["range"])

    def _open(self, partition: InputPartition) -> xylem_reader.Reader:
        node = self._options.node
        if isinstance(partition, RangePartition):
            return xylem_reader.read_range(partition.line, jobs=self._options.jobs, node=node)
        assert isinstance(partition, FilePartition)
        return xylem_reader.parse(partition.path, **self._options.question, node=node)

    def _planned(self, question: dict[str, Any]) -> dict[str, Any]:
        """What is wanted, with the fields that are wanted."""
        if self._options.is_dump:
            names = [name for field in self._wanted for name in leaf_names(field)]
            return {**question, "fields": fields_of(names, question.get("fields", []))}
        each, shape = (json.loads(self._given.metadata[name]) for name in (b"xylem:path", b"xylem:shape"))
        seen = [condition.lstrip("! ") for condition in question.get("where", [])]
        hidden = [name for name in shape if any(condition.startswith(name) for condition in seen)]
        others = {name: value for name, value in question.items() if name not in (*_OF_SAMPLES, "fields")}
        return {**others, "each": each, "shape": pruned(shape, self._wanted.names, hidden)}


class PushdownReader(XylemReader):
    """A reader that decides some filters itself.

    Spark refuses each reader that can, unless `spark.sql.python.filterPushdown.enabled` is set, so this is another class.
    """

    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:
        """Takes the filters that xylem decides as Spark does. Returns the others."""
        return [filter for filter in filters if not self._push(filter)]

    def _push(self, filter: Any) -> bool:
        question = self._options.question
        pushed = self._numbers(filter) if self._options.is_dump else self._conditions(filter)
        if pushed is not None:
            self._options = replace(self._options, question={**question, **pushed})
        return pushed is not None

    def _conditions(self, filter: Any) -> dict[str, Any] | None:
        kinds = {} if self._options.is_parsed else kinds_of(json.loads(self._given.metadata[b"xylem:shape"]))
        compared = {names: kind for names, kind in kinds.items() if self._is_unchanged(names)}
        conditions = conditions_of(filter, compared)
        return None if conditions is None else {"where": [*self._options.question.get("where", []), *conditions]}

    def _is_unchanged(self, names: tuple[str, ...]) -> bool:
        """Whether Spark sees the values of a column as xylem does."""
        given, wanted = (_type_of(schema, names) for schema in (self._given, self._wanted))
        are_times = all(type is not None and pa.types.is_timestamp(type) and type.tz for type in (given, wanted))
        return given == wanted or are_times

    def _numbers(self, filter: Any) -> dict[str, Any] | None:
        """Of dumps, filters on namespaces and ids of pages, where the user does not choose these already."""
        outer = () if self._options.question["dump"] == "pages" else ("page",)
        for name, option in (("ns", "ns"), ("id", "ids")):
            values = only_values(filter, (*outer, name))
            if (
                values is not None
                and option not in self._options.question
                and all(0 <= value < 2**53 for value in values)
            ):
                return {option: values}
        return None


def _arrow_schema(schema: StructType) -> pa.Schema:
    """The schema of batches as Spark wants them, with times in UTC whatever the time zone of the session is."""
    zone: dict[str, Any] = {"timezone": "UTC"}
    has_zone = "timezone" in inspect.signature(to_arrow_schema).parameters
    return to_arrow_schema(schema, **(zone if has_zone else {}))


def _type_of(schema: pa.Schema, names: tuple[str, ...]) -> pa.DataType | None:
    """The type of a column, or of a field in records."""
    fields: Any = schema
    for name in names:
        index = fields.get_field_index(name) if isinstance(fields, (pa.Schema, pa.StructType)) else -1
        if index < 0:
            return None
        fields = fields.field(index).type
    return fields
