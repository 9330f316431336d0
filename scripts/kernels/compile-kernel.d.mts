export function compileKernel(
  name: string,
  sources: Readonly<Record<string, string>>,
  pages: number,
  others?: object,
): Promise<Uint8Array>
export function embedKernel(name: string, binary: Uint8Array, origin: string): string
export function readKernelSource(path: string): Promise<string>
export function readKernelSources(files: Record<string, string>, prelude: string): Promise<Record<string, string>>
export const MACHINE_FILES: Record<string, string>
export function writeMachineConstants(): Promise<string>
