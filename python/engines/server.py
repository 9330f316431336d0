"""A server of files that answers requests for ranges."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serves the files of a folder. Yields the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(is_wanted=True)

        def do_HEAD(self) -> None:
            self._answer(is_wanted=False)

        def _answer(self, *, is_wanted: bool) -> None:
            content = (folder / self.path.lstrip("/")).read_bytes()
            asked = re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
            first, last = 0, len(content) - 1
            if asked:
                first = int(asked[1]) if asked[1] else max(0, len(content) - int(asked[2]))
                last = min(last, int(asked[2])) if asked[1] and asked[2] else last
            part = content[first : last + 1]
            self.send_response(206 if asked else 200)
            self.send_header("Accept-Ranges", "bytes")
            self.send_header("ETag", f'"{len(content)}"')
            self.send_header("Content-Length", str(len(part)))
            if asked:
                self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
            self.end_headers()
            if is_wanted:
                self.wfile.write(part)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
