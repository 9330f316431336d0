import type { RequestListener } from 'node:http'

/** Makes what answers requests with the files of a folder. `policy`: what the header `Content-Security-Policy` says. */
export function serveFolder(folder: string, policy: string): RequestListener
