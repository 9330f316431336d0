// The types of what is read of dumps follow from the shapes.

import { expectTypeOf, test } from 'vitest'
import type {
  Contributor,
  LogItem,
  Namespace,
  Page,
  PageFacts,
  PageOutline,
  PageRevision,
  PageRevisionFacts,
  Revision,
  RevisionFacts,
  SiteInfo,
  Slot,
  Upload,
} from '../../../source/mediawiki/index.ts'
import type { XmlElementData } from '../../../source/xml/index.ts'

type Who = { username: string; id?: number } | { ip: string } | { deleted: true }

interface SlotFields {
  role: string
  origin?: number
  model?: string
  format?: string
  bytes?: number
  sha1?: string
  location?: string
  text?: string
}

interface RevisionFields {
  id: number
  parentid?: number
  timestamp?: string
  contributor?: Who
  minor?: true
  comment?: string
  origin?: number
  model?: string
  format?: string
  bytes?: number
  sha1?: string
  location?: string
  textid?: number
  other?: XmlElementData[]
}

interface ContentFields extends RevisionFields {
  text?: string
  slots?: SlotFields[]
}

interface UploadFields {
  timestamp?: string
  contributor?: Who
  comment?: string
  filename?: string
  archivename?: string
  src?: string
  size?: number
  sha1?: string
  rel?: string
  contents?: string
  encoding?: string
}

interface FactFields {
  id: number
  ns?: number
  title: string
  redirect?: string
  restrictions?: string
  discussion?: Record<string, string>
  other?: XmlElementData[]
}

interface LogFields {
  id: number
  timestamp?: string
  contributor?: Who
  comment?: string
  type?: string
  action?: string
  title?: string
  params?: string
  deleted?: true
  other?: XmlElementData[]
}

interface NamespaceFields {
  key: number
  name: string
  case?: string
}

interface SiteFields {
  version?: string
  language?: string
  siteName?: string
  dbName?: string
  base?: string
  generator?: string
  case?: string
  namespaces: NamespaceFields[]
}

test('records of dumps have the fields of their shapes: what a dump may not have is optional, and never undefined', () => {
  expectTypeOf<Contributor>().branded.toEqualTypeOf<Who>()
  expectTypeOf<Slot>().branded.toEqualTypeOf<SlotFields>()
  expectTypeOf<Revision>().branded.toEqualTypeOf<ContentFields>()
  expectTypeOf<RevisionFacts>().branded.toEqualTypeOf<RevisionFields>()
  expectTypeOf<Upload>().branded.toEqualTypeOf<UploadFields>()
  expectTypeOf<PageFacts>().branded.toEqualTypeOf<FactFields>()
  expectTypeOf<Page>().branded.toEqualTypeOf<FactFields & { uploads?: UploadFields[]; revision?: ContentFields }>()
  expectTypeOf<PageOutline>().branded.toEqualTypeOf<
    FactFields & { uploads?: UploadFields[]; revision?: RevisionFields }
  >()
  expectTypeOf<PageRevision>().branded.toEqualTypeOf<ContentFields & { page: FactFields }>()
  expectTypeOf<PageRevisionFacts>().branded.toEqualTypeOf<RevisionFields & { page: FactFields }>()
  expectTypeOf<LogItem>().branded.toEqualTypeOf<LogFields>()
  expectTypeOf<Namespace>().branded.toEqualTypeOf<NamespaceFields>()
  expectTypeOf<SiteInfo>().branded.toEqualTypeOf<SiteFields>()
})
