"""The inputs of tests, which lie in `fixtures/` of the project."""

from __future__ import annotations

from pathlib import Path

FIXTURES = Path(__file__).parents[2] / "fixtures"
DUMP = FIXTURES / "mediawiki" / "small-dump.xml"
POSTS = FIXTURES / "recipes" / "Posts.xml"
ACCESS_LOG = FIXTURES / "formats" / "access.log"
