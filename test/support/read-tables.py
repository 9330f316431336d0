# Prints what programs find in files of tables: a line of JSON for each file, or for all files of a pattern (parts/*.parquet).

import datetime
import glob
import json
import sys

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.dataset
import pyarrow.ipc
import pyarrow.parquet


def plain(value):
    if isinstance(value, datetime.datetime):
        return round(value.timestamp() * 1000)
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    return value


def checked(table):
    table.validate(full=True)
    return table


def read(path):
    """The tables that programs make of a file or of a pattern, each as one of pyarrow."""
    if path.endswith(".parquet"):
        files = sorted(glob.glob(path)) if "*" in path else path
        table = pyarrow.dataset.dataset(files).to_table() if "*" in path else pyarrow.parquet.read_table(path)
        frame = pandas.concat([pandas.read_parquet(one, dtype_backend="pyarrow") for one in files]) if "*" in path else \
            pandas.read_parquet(path, dtype_backend="pyarrow")
        query = duckdb.sql(f"from read_parquet('{path}')")
        others = polars.read_parquet(path)
    elif path.endswith(".arrows"):
        with pyarrow.ipc.open_stream(path) as stream:
            table = stream.read_all()
        frame, query, others = None, duckdb.from_arrow(table), polars.read_ipc_stream(path)
    else:
        files = sorted(glob.glob(path)) if "*" in path else None
        table = pyarrow.dataset.dataset(files, format="arrow").to_table() if files else pyarrow.ipc.open_file(path).read_all()
        frame = None if files else pandas.read_feather(path, dtype_backend="pyarrow")
        query, others = duckdb.from_arrow(table), polars.read_ipc(path)
    tables = {"pyarrow": table, "duckdb": query.to_arrow_table(), "polars": others.to_arrow()}
    if frame is not None:
        tables["pandas"] = pyarrow.Table.from_pandas(frame, preserve_index=False)
    return table, tables


duckdb.sql("set timezone = 'UTC'")
for path in sys.argv[1:]:
    table, tables = read(path)
    found = table.schema.metadata or {}
    metadata = {name.decode(): text.decode() for name, text in found.items() if name.startswith(b"xylem:")}
    rows = {name: [plain(row) for row in checked(one).to_pylist()] for name, one in tables.items()}
    print(json.dumps({"metadata": metadata, "rows": rows}))
