// What the machine shows to users: nodes of trees.

export type { EngineName } from './run/engine.ts'
export type { MachineLimits } from './run/limits.ts'
export { type NodeReference, type Place, SyntaxNode, type SyntaxNodeData } from './tree/syntax-node.ts'
