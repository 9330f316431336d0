#!/usr/bin/env python3
"""Says what expat and libxml2 make of documents. Fuzzing asks it.

Reads documents from standard input, each as its length in four bytes (big-endian) and its bytes, and answers each with a line of JSON:

    {"expat": {"refused": null, "form": "<a>…</a>"}, "expatNs": {"refused": "prefix is not declared"}, "libxml2": {"refused": null}}

The first line tells which of the two there are. libxml2 is called in the shared library of the system, if there is one.
"""

import ctypes
import ctypes.util
import json
import struct
import sys
from xml.parsers import expat

ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


def escape(text):
    return "".join(ESCAPES.get(character, character) for character in text)


def by_expat(document):
    """Without namespaces; gives the canonical form from the root on."""
    parts = []
    parser = make_parser()
    parser.ordered_attributes = False
    parser.buffer_text = True

    def start(name, attributes):
        listed = "".join(f' {key}="{escape(attributes[key])}"' for key in sorted(attributes, key=utf16))
        parts.append(f"<{name}{listed}>")

    def instruction(target, data):
        if parts:
            parts.append(f"<?{target} {data}?>")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: parts.append(f"</{name}>")
    parser.CharacterDataHandler = lambda text: parts.append(escape(text))
    parser.ProcessingInstructionHandler = instruction
    refused = parse(parser, document)
    return {"refused": refused, "form": None if refused else "".join(parts)}


def by_expat_with_namespaces(document):
    # No name of a namespace can have this character.
    return {"refused": parse(make_parser(namespace_separator="\1"), document)}


def make_parser(**options):
    parser = expat.ParserCreate(**options)
    # Without this it stops reading declarations at the first reference to a parameter entity.
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
    return parser


def parse(parser, document):
    try:
        parser.Parse(document, True)
        return None
    except expat.ExpatError as error:
        return expat.ErrorString(error.code)
    except (ValueError, LookupError) as error:
        return str(error)


def utf16(name):
    return name.encode("utf-16-be", "surrogatepass")


class XmlError(ctypes.Structure):
    _fields_ = [
        ("domain", ctypes.c_int),
        ("code", ctypes.c_int),
        ("message", ctypes.c_char_p),
        ("level", ctypes.c_int),
    ]


HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(XmlError))
XML_FROM_VALID = 23
XML_PARSE_NONET = 1 << 11
XML_PARSE_HUGE = 1 << 19


class Libxml2:
    """Is told of each error; warnings do not count."""

    def __init__(self, library):
        self.library = library
        self.error = None
        library.xmlReadMemory.restype = ctypes.c_void_p
        library.xmlReadMemory.argtypes = [
            ctypes.c_char_p,
            ctypes.c_int,
            ctypes.c_char_p,
            ctypes.c_char_p,
            ctypes.c_int,
        ]
        library.xmlFreeDoc.argtypes = [ctypes.c_void_p]
        self.handler = HANDLER(self.take)
        library.xmlSetStructuredErrorFunc(None, self.handler)

    def take(self, _context, pointer):
        error = pointer.contents
        # What is not valid may well be well-formed.
        if error.domain == XML_FROM_VALID:
            return
        if error.level >= 2 and self.error is None:
            message = (error.message or b"").decode("utf-8", "replace").strip()
            self.error = f"{error.domain}:{error.code}: {message}"

    def read(self, document):
        self.error = None
        options = XML_PARSE_NONET | XML_PARSE_HUGE
        pointer = self.library.xmlReadMemory(document, len(document), None, None, options)
        if pointer:
            self.library.xmlFreeDoc(pointer)
        return {"refused": self.error or (None if pointer else "no document")}


def find_libxml2():
    name = ctypes.util.find_library("xml2")
    try:
        return Libxml2(ctypes.CDLL(name)) if name else None
    except OSError:
        return None


def main():
    libxml2 = find_libxml2()
    print(json.dumps({"expat": expat.EXPAT_VERSION, "libxml2": libxml2 is not None}), flush=True)
    while head := sys.stdin.buffer.read(4):
        document = sys.stdin.buffer.read(struct.unpack(">I", head)[0])
        answer = {"expat": by_expat(document), "expatNs": by_expat_with_namespaces(document)}
        if libxml2:
            answer["libxml2"] = libxml2.read(document)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
