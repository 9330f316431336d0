# Edits documents with lxml. Each line of standard input is {"document": …, "edits": [{"name": …, "calls": [[method, …], …]}, …], "edited": …}. For each it prints a
# line of JSON with two texts: one form of the document that lxml has edited, and the same form of `edited`.

from __future__ import annotations

import json
import sys

from lxml import etree

Element = etree._Element
PARSER = etree.XMLParser(remove_blank_text=False, resolve_entities=True, no_network=True, huge_tree=True)
XML_NAMESPACE = "{http://www.w3.org/XML/1998/namespace}"


def canonical(root: Element) -> str:
    """What a tree says, in one form. Canonical XML will not do: that of lxml loses prefixes of attributes, and that of libxml2 refuses relative namespaces."""
    parts: list[object] = []
    for event, node in etree.iterwalk(etree.ElementTree(root), events=("start", "end", "comment", "pi")):
        tail = "" if node is root else node.tail or ""
        if event == "start":
            parts.append([node.tag, sorted(node.attrib.items()), node.text or ""])
        elif event == "end":
            parts.append(["/", tail])
        else:
            parts.append([event, getattr(node, "target", ""), node.text or "", tail])
    return json.dumps(parts)


def add_text_before(node: Element, text: str) -> None:
    previous = node.getprevious()
    if previous is not None:
        previous.tail = (previous.tail or "") + text
    elif node.getparent() is not None:
        parent = node.getparent()
        parent.text = (parent.text or "") + text


def add_text_after(node: Element, text: str) -> None:
    node.tail = text + (node.tail or "")


def append_text(node: Element, text: str) -> None:
    if len(node):
        node[-1].tail = (node[-1].tail or "") + text
    else:
        node.text = (node.text or "") + text


def take_out(node: Element, keeps_content: bool) -> None:
    """Leaves an element out, or its tags; the text after it stays."""
    parent, tail = node.getparent(), node.tail or ""
    if keeps_content:
        add_text_before(node, node.text or "")
        node.text = None
        for child in list(node):
            node.addprevious(child)
    add_text_before(node, tail)
    node.tail = None
    parent.remove(node)


def attribute(name: str) -> str:
    return XML_NAMESPACE + name[4:] if name.startswith("xml:") else name


def edit(node: Element, calls: list[list[str]]) -> None:
    """Makes the calls on an element."""
    fate, before, after, first, last, content = "kept", "", "", "", "", None
    for method, *given in calls:
        if method == "before":
            before += given[0]
        elif method == "after":
            after = given[0] + after
        elif method == "prepend":
            first = given[0] + first
        elif method == "append":
            last += given[0]
        elif fate != "kept":
            continue
        elif method == "rename":
            namespace = etree.QName(node).namespace
            node.tag = f"{{{namespace}}}{given[0]}" if namespace else given[0]
        elif method == "setAttribute":
            node.set(attribute(given[0]), given[1])
        elif method == "removeAttribute":
            node.attrib.pop(attribute(given[0]), None)
        elif method == "setContent":
            first, last, content = "", "", given[0]
        elif method == "replaceWith":
            fate, after = "gone", given[0] + after
        else:
            fate = "gone" if method == "remove" else "unwrapped"
    add_text_before(node, before)
    add_text_after(node, after)
    if fate == "gone":
        take_out(node, keeps_content=False)
        return
    if content is not None:
        for child in list(node):
            node.remove(child)
        node.text = content
    node.text = first + (node.text or "")
    append_text(node, last)
    if fate == "unwrapped":
        take_out(node, keeps_content=True)


def edit_all(root: Element, edits: list[dict]) -> None:
    by_name = {one["name"]: one["calls"] for one in edits}
    # From the inside out: what is unwrapped or removed has been edited before.
    for node in reversed([one for one in root.iter() if isinstance(one.tag, str)]):
        name = etree.QName(node).localname
        if name in by_name:
            edit(node, by_name[name])


for line in sys.stdin:
    case = json.loads(line)
    root = etree.fromstring(case["document"].encode(), PARSER)
    edit_all(root, case["edits"])
    edited = etree.fromstring(case["edited"].encode("utf-8", "surrogatepass"), PARSER)
    print(json.dumps([canonical(root), canonical(edited)]))
