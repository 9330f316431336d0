// What the machine shows to users: nodes of trees.

export type { EngineName } from './run/engine.ts'
export type { MachineLimits } from './run/limits.ts'
export type { NodeReference, Place, SyntaxNodeData, SyntaxNodeObject } from './tree/node-data.ts'
export {
  type BranchNode,
  type BranchType,
  type LiteralNode,
  type NodeOfType,
  SyntaxNode,
  type Term,
} from './tree/syntax-node.ts'
