#!/usr/bin/env python3
"""Says what is in archives. Fuzzing asks it.

Reads archives from standard input, each as its length in four bytes (big-endian) and its bytes, and answers each with a line of JSON: why it is
refused, or null, and the size and the SHA-256 of what is in it. bzip2 and gzip are read by Python's own modules, zstd by the command, if there
is one. The first line says whether there is.
"""

import bz2
import gzip
import hashlib
import json
import shutil
import struct
import subprocess
import sys

MOST = 1 << 28


def read_bzip2(archive):
    """bz2.decompress ignores what is wrong after the first stream; this ignores zero bytes, of which padding consists."""
    content = []
    while archive.strip(b"\0") or not content:
        stream = bz2.BZ2Decompressor()
        content.append(stream.decompress(archive))
        if not stream.eof:
            raise ValueError("truncated")
        archive = stream.unused_data
    return b"".join(content)


def read_zstd(archive):
    """Zero bytes after the last frame, which may end with some itself, are padding."""
    bare = archive.rstrip(b"\0")
    for length in [len(archive), *range(len(bare), min(len(bare) + 5, len(archive)))]:
        done = subprocess.run(["zstd", "-dcq"], input=archive[:length], capture_output=True)
        if done.returncode == 0:
            return done.stdout
    raise ValueError(done.stderr.decode("utf-8", "replace").strip() or "refused")


def read(archive):
    if archive[:3] == b"BZh":
        return read_bzip2(archive)
    if archive[:2] == b"\x1f\x8b":
        return gzip.decompress(archive)
    if archive[:4] == b"\x28\xb5\x2f\xfd":
        return read_zstd(archive)
    raise ValueError("not an archive")


def main():
    print(json.dumps({"zstd": shutil.which("zstd") is not None}), flush=True)
    while head := sys.stdin.buffer.read(4):
        archive = sys.stdin.buffer.read(struct.unpack(">I", head)[0])
        try:
            content = read(archive)
            answer = {"refused": None, "size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        except Exception as error:
            answer = {"refused": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
