// What is done where a dump is at fault.

import type { ParseError } from '../text/parse-error.ts'
import type { OnError } from './dump-options.ts'

/** What a reader of dumps is given as `onFault`; undefined where faults are to be thrown. `tell` hears of those that are passed over. */
export function makeFaultHandler(
  onError: OnError,
  tell: (error: ParseError) => void,
): ((error: ParseError) => void) | undefined {
  if (onError === 'stop') return undefined
  return (error) => {
    if (onError === 'skip-page' && error.name === 'CompressionError') throw error
    tell(error)
  }
}

/** What is told of a fault that is passed over. */
export function describePassedOver(input: string, error: ParseError): string {
  return `${input}: ${error.message.replace(/\s*\n\s*/g, ' ')}; passed over`
}
