# Prints what Python's sqlite3 finds in a database: whether it is sound, its statements, and the rows of its table with the types of their values.

import json
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
quoted = tables[0].replace('"', '""')
rows = database.execute(f'SELECT * FROM "{quoted}" ORDER BY rowid')
print(
    json.dumps(
        {
            "integrity": database.execute("PRAGMA integrity_check").fetchone()[0],
            "tables": tables,
            "statements": [sql for (sql,) in database.execute("SELECT sql FROM sqlite_master ORDER BY rowid")],
            "names": [name for (name, *_) in rows.description],
            # Whole numbers may be larger than those of JSON in JavaScript.
            "rows": [[{"integer": str(one)} if isinstance(one, int) else one for one in row] for row in rows],
        }
    )
)
