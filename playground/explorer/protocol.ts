// What the page and the worker of the Explorer say to each other. The worker reads, and keeps what was found; the page shows a part of it. All of it is
// plain data.

/** What a file holds. */
export type ContentKind = 'mediawiki' | 'xml'

/** A document that the worker makes, instead of reading one. */
export interface MadeSource {
  readonly make: 'wiki' | 'register'
}

/** What is opened: a file, an absolute address, or a document that is made. */
export type DocumentSource = Blob | string | MadeSource

/** A namespace of a wiki, and how many of its pages were seen. */
export interface NamespaceCount {
  readonly id: number
  /** Empty for articles. */
  readonly name: string
  readonly count: number
}

/** Which pages the list shows. */
export interface PageFilter {
  /** Undefined: all. */
  readonly namespaces: readonly number[] | undefined
  readonly redirects: 'all' | 'only' | 'none'
  /** Pages whose title contains this, in any case. Empty: all. */
  readonly title: string
}

/** A page in the list. */
export interface PageRow {
  /** Its number in the index, by which it is opened. */
  readonly index: number
  readonly id: number
  readonly namespace: number
  readonly title: string
  readonly isRedirect: boolean
}

/** A page that was opened. */
export interface Article {
  readonly title: string
  /** The title of the page that it leads to, if it is a redirect. */
  readonly redirect: string | undefined
  readonly text: string
  /** Undefined if it has a text. */
  readonly whyNoText: string | undefined
  /** Facts with their names, in the order in which they are shown: `['revision', '101']`. */
  readonly facts: readonly (readonly [name: string, value: string])[]
}

/** An attribute of elements, and one of its values. */
export interface SeenAttribute {
  readonly name: string
  readonly count: number
  readonly example: string
}

/** An element of the structure that was seen so far, by its name and the elements around it, with what it has. */
export interface StructureNode {
  readonly name: string
  readonly count: number
  /** The largest number of such elements in one element around them. */
  readonly most: number
  readonly attributes: readonly SeenAttribute[]
  /** A text that it has; undefined if it has none. */
  readonly example: string | undefined
  readonly children: readonly StructureNode[]
}

/** An element that was picked for records. */
export interface PickedElement extends StructureNode {
  /** The path from the root: `feed/entry/title`. */
  readonly path: string
}

/** A row of the structure. Long names are shortened. */
export interface StructureRow extends Omit<StructureNode, 'children'> {
  /** Its number, in the order in which elements were seen first. */
  readonly node: number
  readonly path: string
  /** How many names of attributes there are. `attributes` has the first ones. */
  readonly attributeCount: number
}

/** A field of records that was picked: its name, its path from the record's element, and whether there may be several. */
export interface PickedField {
  readonly name: string
  readonly path: string
  readonly isList: boolean
}

/** What records are made of. */
export interface PickedShape {
  /** The path of the record's element from the root: `feed/entry`. */
  readonly record: string
  readonly fields: readonly PickedField[]
}

/** An error as a person is told of it. */
export interface ToldError {
  readonly title: string
  /** What it means, and what to do. */
  readonly advice: string
  /** What is wrong, in words: what was expected, and what was found. */
  readonly explanation?: string | undefined
  readonly code?: string | undefined
  /** What the library says, with line and column where it has them. */
  readonly message: string
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly byteOffset?: number | undefined
  readonly excerpt?: string | undefined
}

/** From the page to the worker. `ask` numbers a question that is answered. */
export type ExplorerRequest =
  /** Ends everything. The worker can open something else after it. */
  | { readonly type: 'close' }
  | { readonly type: 'open'; readonly source: DocumentSource; readonly name: string }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  | { readonly type: 'cancel' }
  | { readonly type: 'filter'; readonly filter: PageFilter }
  /** Rows of the list as it is filtered, from one number up to, and without, another. */
  | { readonly type: 'rows'; readonly ask: number; readonly from: number; readonly to: number }
  | { readonly type: 'article'; readonly ask: number; readonly index: number }
  /** Looks for the page that a link in a page leads to. */
  | { readonly type: 'findPage'; readonly ask: number; readonly target: string }
  /** Rows of the structure, by the numbers of their nodes. */
  | { readonly type: 'structureRows'; readonly nodes: readonly number[] }
  /** What records of a node may have. */
  | { readonly type: 'pick'; readonly ask: number; readonly node: number }
  /** Reads the same source again for records of a shape. `most`: how many are wanted; undefined: all. */
  | { readonly type: 'records'; readonly shape: PickedShape; readonly most: number | undefined }
  | { readonly type: 'recordRows'; readonly ask: number; readonly from: number; readonly to: number }
  /** Ends the reading of records. Those that were read stay. */
  | { readonly type: 'endRecords' }
  /**
   * Reads the same source again, and sends the records of a shape, or the pages of a filter, as pieces of a file. Each `piece` after the first is asked
   * for by `nextPiece`, so that nothing piles up.
   */
  | {
      readonly type: 'download'
      readonly download: number
      readonly wanted: PickedShape | PageFilter
      readonly format: 'jsonl' | 'csv'
      /** Whether texts in tables that a spreadsheet would run as a formula get an apostrophe before them. */
      readonly isSafe: boolean
    }
  | { readonly type: 'nextPiece'; readonly download: number }
  | { readonly type: 'endDownload'; readonly download: number }

/** From the worker to the page. */
export type ExplorerAnswer =
  /** All is ended, and this is the last answer. */
  | { readonly type: 'closed' }
  | {
      readonly type: 'opened'
      readonly kind: ContentKind
      /** What it is, if it is not XML: `JSON`, `a PDF document`. */
      readonly other: string | undefined
      readonly compression: string
      /** Why pages cannot be opened without reading everything before them; undefined if they can. */
      readonly whyNoPages: string | undefined
      readonly hasWebAssembly: boolean
    }
  /** What a dump says of its wiki. */
  | { readonly type: 'site'; readonly name: string | undefined; readonly base: string | undefined }
  /** A few times a second. Bytes are those of the source; `decoded` those after decompression. */
  | {
      readonly type: 'progress'
      readonly bytesRead: number
      readonly totalBytes: number | undefined
      readonly decoded: number
      /** Bytes of the input that are in memory, decompressed; and how many these were at most. */
      readonly retained: number
      readonly mostRetained: number
      readonly seconds: number
      /** Pages, or elements. */
      readonly items: number
    }
  /** How many rows the list has now, and how many pages there were. `isFull`: no more than `kept` are kept, because the limit is reached. */
  | {
      readonly type: 'listed'
      readonly shown: number
      readonly all: number
      readonly kept: number
      readonly isFull: boolean
      /** Whether the filter has looked at all of them. */
      readonly isFiltered: boolean
      readonly namespaces: readonly NamespaceCount[]
    }
  | { readonly type: 'rows'; readonly ask: number; readonly rows: readonly PageRow[] }
  | {
      readonly type: 'article'
      readonly ask: number
      readonly article: Article | undefined
      readonly error: ToldError | undefined
    }
  /** References to entities that are left out, because their text is outside of the document: how many, and the names of the first ones. */
  | {
      readonly type: 'skipped'
      readonly count: number
      readonly names: readonly string[]
      readonly hasMoreNames: boolean
    }
  | {
      readonly type: 'foundPage'
      readonly ask: number
      /** As the wiki writes it. */
      readonly title: string
      /** Its number, and its place in the list; undefined if it is not there. */
      readonly index: number | undefined
      readonly place: number | undefined
      /** Which pages were looked at: those that were read while more come, all of the dump, or only a part of it. */
      readonly extent: 'so far' | 'all' | 'part'
    }
  /** Nodes of the structure that are new, by the numbers of the nodes around them (-1 for the root), in the order of their own numbers. */
  | { readonly type: 'structure'; readonly added: Int32Array; readonly isCut: boolean }
  | { readonly type: 'structureRows'; readonly rows: readonly StructureRow[] }
  /** The element that is probably the record of the document, or was picked: when it is seen first, and again at the end. */
  | { readonly type: 'proposed'; readonly record: PickedElement }
  /** An element as it was seen so far; of one with very many elements inside, the first of them. */
  | { readonly type: 'picked'; readonly ask: number; readonly record: PickedElement }
  /** The shape that is read, and how many records are kept for the table. */
  | {
      readonly type: 'recordsListed'
      readonly kept: number
      readonly all: number
      readonly isFull: boolean
      readonly isDone: boolean
      readonly error: ToldError | undefined
    }
  | { readonly type: 'recordRows'; readonly ask: number; readonly rows: readonly (readonly string[])[] }
  /** `bytes` is undefined at the end. */
  | {
      readonly type: 'piece'
      readonly download: number
      readonly bytes: Uint8Array | undefined
      readonly error: ToldError | undefined
    }
  | { readonly type: 'state'; readonly state: 'reading' | 'paused' | 'done' | 'cancelled' | 'failed' }
  | { readonly type: 'error'; readonly error: ToldError }
