#!/usr/bin/env python3
"""Reads a MediaWiki dump with nothing but Python's standard library, to compare with what xylem reads.

    python3 scripts/compare/read-dump.py DUMP

Prints a line of JSON for each page: its id, namespace and title, and of each revision the id and the SHA-1 of the text.
"""

import bz2
import gzip
import hashlib
import json
import sys
import xml.etree.ElementTree as ElementTree

OPEN = {"bz2": bz2.open, "gz": gzip.open}


def name_of(element):
    return element.tag.rpartition("}")[2]


def child_text(element, name):
    for child in element:
        if name_of(child) == name:
            return child.text or ""
    return None


def main():
    path = sys.argv[1]
    with OPEN.get(path.rpartition(".")[2], open)(path, "rb") as dump:
        root = None
        for event, element in ElementTree.iterparse(dump, events=("start", "end")):
            if root is None:
                root = element
            if event != "end" or name_of(element) != "page":
                continue
            revisions = []
            for child in element:
                if name_of(child) == "revision":
                    text = child_text(child, "text") or ""
                    sha1 = hashlib.sha1(text.encode("utf-8", "surrogatepass")).hexdigest()
                    revisions.append({"id": int(child_text(child, "id")), "sha1": sha1})
            page = {"id": int(child_text(element, "id")), "ns": int(child_text(element, "ns")), "title": child_text(element, "title")}
            print(json.dumps({**page, "revisions": revisions}, ensure_ascii=False, separators=(",", ":")))
            root.clear()


if __name__ == "__main__":
    main()
