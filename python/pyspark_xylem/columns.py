"""Columns as an engine wants them: with its types, its nullability, and records where names have dots."""

from __future__ import annotations

from typing import Any

import pyarrow as pa


class ColumnError(ValueError):
    """A column that is not there, or whose values do not fit."""


def nested_schema(schema: pa.Schema) -> pa.Schema:
    """The schema with a record `revision` instead of columns `revision.id` and `revision.text`."""
    tree: dict[str, Any] = {}
    for field in schema:
        *outer, last = field.name.split(".")
        fields = tree
        for name in outer:
            fields = fields.setdefault(name, {})
        fields[last] = field.type
    return pa.schema(_fields(tree), schema.metadata)


def _fields(tree: dict[str, Any]) -> list[pa.Field]:
    return [pa.field(name, pa.struct(_fields(of)) if isinstance(of, dict) else of) for name, of in tree.items()]


def leaf_names(field: pa.Field) -> list[str]:
    """The names of the columns that a column is made of: those of records with dots."""
    if not pa.types.is_struct(field.type):
        return [field.name]
    return [f"{field.name}.{name}" for inner in field.type for name in leaf_names(inner)]


def conform(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The batch with exactly a schema. Raises a `ColumnError` for a column that it lacks, or a value that does not fit."""
    arrays = [_conform_column(batch, field, field.name) for field in schema]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def require_columns(given: pa.Schema, wanted: pa.Schema) -> None:
    """Raises a `ColumnError` if batches with one schema cannot become batches with another one, whatever they hold."""
    conform(pa.RecordBatch.from_arrays([pa.array([], field.type) for field in given], schema=given), wanted)


def _conform_column(batch: pa.RecordBatch, field: pa.Field, name: str) -> pa.Array:
    """A column by its name; a record also of the columns whose names begin with its own and a dot."""
    if name in batch.schema.names:
        return _conform_array(batch.column(name), field, name)
    if not pa.types.is_struct(field.type) or not any(other.startswith(f"{name}.") for other in batch.schema.names):
        known = ", ".join(batch.schema.names)
        raise ColumnError(f"there is no field {name}; there are {known}")
    inner = [_conform_column(batch, child, f"{name}.{child.name}") for child in field.type]
    return pa.StructArray.from_arrays(inner, fields=list(field.type))


def _conform_array(array: pa.Array, field: pa.Field, name: str) -> pa.Array:
    if not field.nullable and array.null_count > 0:
        raise ColumnError(f"{name} has no value in some record, but the schema says that it is never null")
    if pa.types.is_struct(field.type) and pa.types.is_struct(array.type):
        return _conform_record(array, field, name)
    if pa.types.is_list(field.type) and pa.types.is_list(array.type):
        values = _conform_array(array.values, field.type.value_field, f"{name}[]")
        return pa.Array.from_buffers(
            field.type, len(array), array.buffers()[:2], offset=array.offset, children=[values]
        )
    try:
        return array.cast(field.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise ColumnError(f"{name}: {array.type} cannot become {field.type}: {error}") from None


def _conform_record(array: pa.StructArray, field: pa.Field, name: str) -> pa.Array:
    known = [child.name for child in array.type]
    inner = []
    for child in field.type:
        if child.name not in known:
            raise ColumnError(f"there is no field {name}.{child.name}; there are {', '.join(known)} in {name}")
        inner.append(_conform_array(array.field(child.name), child, f"{name}.{child.name}"))
    mask = array.is_null() if array.null_count > 0 else None
    return pa.StructArray.from_arrays(inner, fields=list(field.type), mask=mask)
