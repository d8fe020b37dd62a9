/** The length of functions, from the syntax tree of each program. */
import { parseSync } from 'rolldown/utils';
import type { SourceFile } from './tree.ts';

const MAX_LINES = 120;
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
}

interface Call extends SyntaxNode {
  callee: SyntaxNode;
  arguments: SyntaxNode[];
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
const isCall = (node: SyntaxNode): node is Call => node.type === 'CallExpression';

/** Functions that do more than one thing. A group of tests is a list of cases: its lines do not count. */
export function longFunctions(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path, text }) => /\.(?:tsx?|mjs|js)$/.test(path) && text.split('\n').length > MAX_LINES)
    .flatMap(foundIn);
}

/** The trees of files that are read again with another file planted. */
const known = new WeakMap<SourceFile, string[]>();

function foundIn(file: SourceFile): string[] {
  const found = known.get(file) ?? measure(file);
  known.set(file, found);
  return found;
}

function measure({ path, text }: SourceFile): string[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) return [`${path}: ${errors[0].message}`];
  const linesOf = ({ start, end }: SyntaxNode) => text.slice(start, end).split('\n').length;
  const found: string[] = [];
  /** @returns the lines below the node that do not count */
  const visit = (node: SyntaxNode, isGroup: boolean): number => {
    const group = isCall(node) && /^(?:test\.)?describe\b/.test(text.slice(node.callee.start, node.callee.end));
    const body = group ? node.arguments.at(-1) : undefined;
    const inner = Object.values(node)
      .flat()
      .filter(isNode)
      .reduce((sum, each) => sum + visit(each, each === body), 0);
    if (!FUNCTIONS.includes(node.type)) return inner;
    if (isGroup) return linesOf(node) - 1;
    const lines = linesOf(node) - inner;
    if (lines > MAX_LINES)
      found.push(`${path}:${text.slice(0, node.start).split('\n').length} has a function of ${lines} lines`);
    return inner;
  };
  visit(program, false);
  return found;
}
