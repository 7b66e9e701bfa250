"""Statuses of the library as exceptions."""

import ctypes
import dataclasses
from typing import List, Optional

from ._library import MessageRecord, lib

SEVERITIES = ("error", "warning", "remark", "note")


@dataclasses.dataclass(frozen=True)
class Message:
    """A diagnostic of a model. line and column count from 1; 0: no place. `rendered` shows the line of
    the model with the place marked under it."""
    severity: str
    text: str
    file: Optional[str]
    line: int
    column: int
    rendered: str


class FusecError(Exception):
    """A call failed. `status` is the name of the status in fusec.h, `argument` the argument that is
    wrong, `file`, `line` and `column` a place in the model; None and 0 where there is none."""

    def __init__(self, text, status, argument=None, file=None, line=0, column=0, messages=()):
        super().__init__(text)
        self.status, self.argument = status, argument
        self.file, self.line, self.column = file, line, column
        self.messages: List[Message] = list(messages)


class ModelError(FusecError):
    """The text of the model is wrong: `messages` say where."""


class ArgumentError(FusecError, ValueError):
    """An argument does not fit: its type, rank, size, layout or device."""


class DimsError(FusecError, ValueError):
    """The model refuses these sizes, by an assert for instance."""


class RefusedError(FusecError, OSError):
    """The machine refused: no compiler, no device, no such file."""


class Cancelled(FusecError):
    """Stopped by a progress callback."""


_TYPES = {"FUSEC_WRONG_MODEL": ModelError, "FUSEC_WRONG_ARGUMENT": ArgumentError,
          "FUSEC_WRONG_DIMS": DimsError, "FUSEC_REFUSED": RefusedError,
          "FUSEC_CANCELLED": Cancelled}


def text_of(value):
    """UTF-8 whatever the locale is; in the name of a model there may be other bytes."""
    return None if value is None else value.decode("utf-8", "surrogateescape")


def take_messages(handle) -> List[Message]:
    """The messages of a handle, which is released."""
    messages = []
    for index in range(lib.messages_count(handle)):
        record = MessageRecord()
        lib.messages_get(handle, index, ctypes.byref(record))
        messages.append(Message(SEVERITIES[record.severity], text_of(record.text), text_of(record.file),
                                record.line, record.column, text_of(record.rendered)))
    lib.messages_release(handle)
    return messages


def check(status: int, messages=()) -> None:
    """Raises the thread's last error as an exception, unless the status is FUSEC_OK."""
    if not status:
        return
    error = lib.last_error().contents
    name = lib.status_name(status).decode()
    text = "".join(message.rendered for message in messages).rstrip("\n") or text_of(error.text)
    raise _TYPES.get(name, FusecError)(text, name, text_of(error.argument), text_of(error.file),
                                       error.line, error.column, messages)
