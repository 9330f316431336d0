// What the machine shows to users: nodes of trees.

export type { EngineName } from './run/engine.ts'
export type { MachineLimits } from './run/limits.ts'
export {
  type BranchNode,
  type BranchType,
  type LiteralNode,
  type NodeOfType,
  type NodeReference,
  type Place,
  SyntaxNode,
  type SyntaxNodeData,
  type SyntaxNodeObject,
  type Term,
} from './tree/syntax-node.ts'
