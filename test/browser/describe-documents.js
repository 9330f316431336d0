// Documents in a page.

import { readXml } from '/dist/xml.js'
import { describeDocuments } from './describe-document.js'

export const describeAll = (texts) => describeDocuments(readXml, texts)
