# Prints the pages of a dump as lines of JSON with id, title and text, by the iterparse of Python's library: iterparse.py FILE
import json
import sys
from xml.etree.ElementTree import iterparse


def local(element):
    return element.tag.rpartition('}')[2]


root = None
for event, element in iterparse(sys.argv[1], events=('start', 'end')):
    if root is None:
        root = element
    if event == 'end' and local(element) == 'page':
        page = {}
        for child in element:
            if local(child) in ('id', 'title'):
                page[local(child)] = child.text
            elif local(child) == 'revision':
                for field in child:
                    if local(field) == 'text':
                        page['text'] = field.text
        sys.stdout.write(json.dumps(page, ensure_ascii=False) + '\n')
        root.clear()
