# Writes fields of the pages of a dump as a file of Arrow, by our package for Python: reader.py INPUT OUTPUT FIELD…
import sys
from pathlib import Path

import pyarrow.ipc

sys.path.insert(0, str(Path(__file__).parents[3] / 'python'))
import xylem_reader  # noqa: E402

source, target, *fields = sys.argv[1:]
with xylem_reader.read(source, each='page', fields=fields, jobs=1) as reader:
    with pyarrow.OSFile(target, 'wb') as sink, pyarrow.ipc.new_file(sink, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)
