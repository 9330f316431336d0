"""Errors of reading with xylem, and warnings."""

from __future__ import annotations

from typing import Any


class XylemError(Exception):
    """Reading with xylem has failed. What is not known is None.

    Errors can be pickled, so they come from other processes as they are.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        file: str | None = None,
        byte_offset: int | None = None,
        line: int | None = None,
        column: int | None = None,
        exit_code: int | None = None,
    ) -> None:
        super().__init__(message)
        #: What kind of error this is, such as `wrong-tag`.
        self.code = code
        #: The input, as it was given.
        self.file = file
        #: Where in the input, in bytes from its beginning, decompressed.
        self.byte_offset = byte_offset
        #: The line in the input, counted from 1.
        self.line = line
        #: The column in that line, counted from 1.
        self.column = column
        #: How xylem ended (docs/commands.md): 2, 3 and 4 stay as they are, after 5 a second try can succeed.
        self.exit_code = exit_code


class UsageError(XylemError, ValueError):
    """What was asked for cannot be read: an option, a shape, a condition, a grammar or a plan is not valid."""


class InputError(XylemError):
    """The input is malformed, truncated or corrupt, exceeds a limit, has changed, or cannot be read."""


class NodeMissingError(XylemError):
    """There is no Node to run xylem, or it is too old."""


class StreamCutError(XylemError):
    """Records have not arrived completely: xylem was ended, or what it printed does not agree with its trailer."""


class XylemWarning(UserWarning):
    """What xylem says about a reading that succeeds, such as a name that was not found."""


_CLASSES: dict[int, type[XylemError]] = {2: UsageError, 3: InputError, 4: InputError, 5: InputError}


def error_of(exit_code: int, description: Any) -> XylemError:
    """The error that xylem has ended with. `description`: what its trailer says of it, if it is there."""
    known = description if isinstance(description, dict) else {}
    return _CLASSES.get(exit_code, XylemError)(
        known.get("message") or f"xylem ended with exit code {exit_code}",
        code=known.get("code"),
        file=known.get("file"),
        byte_offset=known.get("byteOffset"),
        line=known.get("line"),
        column=known.get("column"),
        exit_code=exit_code,
    )
