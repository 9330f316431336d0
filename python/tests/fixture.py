"""Files of the project that tests use."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
#: Stands in for xylem.
FAKE = ROOT / "test" / "python" / "fake-xylem.mjs"
FIXTURES = ROOT / "fixtures"
DUMP = FIXTURES / "mediawiki" / "small-dump.xml"
POSTS = FIXTURES / "recipes" / "Posts.xml"
ACCESS_LOG = FIXTURES / "formats" / "access.log"
