# Writes fields of the pages of a dump as a file of Arrow, by lxml's iterparse and pyarrow: iterparse.py INPUT OUTPUT
import sys

import pyarrow
from lxml.etree import iterparse

ROWS = 16384
schema = pyarrow.schema([
    ('id', pyarrow.int64()),
    ('ns', pyarrow.int64()),
    ('title', pyarrow.utf8()),
    ('revision', pyarrow.int64()),
    ('timestamp', pyarrow.utf8()),
    ('user', pyarrow.utf8()),
    ('text', pyarrow.utf8()),
])


def local(element):
    return element.tag.rpartition('}')[2]


def read(page):
    row = dict.fromkeys(schema.names)
    for child in page:
        name = local(child)
        if name == 'id' or name == 'ns':
            row[name] = int(child.text)
        elif name == 'title':
            row['title'] = child.text or ''
        elif name == 'revision':
            for field in child:
                name = local(field)
                if name == 'id':
                    row['revision'] = int(field.text)
                elif name == 'timestamp' or name == 'text':
                    row[name] = field.text or ''
                elif name == 'contributor':
                    for one in field:
                        if local(one) == 'username':
                            row['user'] = one.text or ''
    return row


with pyarrow.OSFile(sys.argv[2], 'wb') as sink, pyarrow.ipc.new_file(sink, schema) as writer:
    rows = []
    for _, page in iterparse(sys.argv[1], tag='{*}page', huge_tree=True):
        rows.append(read(page))
        page.clear()
        while page.getprevious() is not None:
            del page.getparent()[0]
        if len(rows) == ROWS:
            writer.write_batch(pyarrow.RecordBatch.from_pylist(rows, schema))
            rows = []
    writer.write_batch(pyarrow.RecordBatch.from_pylist(rows, schema))
