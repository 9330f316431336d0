// What the machine shows to users: nodes of trees.

export type { EngineName } from './engine.ts'
export type { MachineLimits } from './limits.ts'
export { type NodeReference, type Place, SyntaxNode, type SyntaxNodeData } from './syntax-node.ts'
