/** Converts accounts and rules to nodes and edges of the graph library. Pure. */
import type { Platform, Rule } from '@reelay/sdk';
import { type Edge, MarkerType, type Node } from '@xyflow/react';
import { sourceWarnings } from '../source-notice.tsx';
import type { Highlight } from './drawing.ts';
import { type Arrow, arrowId } from './graph.ts';
import { NODE, type Position } from './layout.ts';

/** The appearance of an account: while an arrow is drawn, or beside the selected account. */
export type Role = 'idle' | 'source' | 'valid' | 'invalid' | 'loop' | 'found' | 'dimmed';

/** `sources`: number of accounts whose rules repost to this account. */
export type AccountNodeData = { account: Platform; role: Role; sources: number; onTap(id: string): void } & Record<
  string,
  unknown
>;
export type AccountNode = Node<AccountNodeData, 'account'>;
export type RuleEdgeData = { isPaused: boolean; isLoop: boolean; isDimmed: boolean; warning: string } & Record<
  string,
  unknown
>;
export type RuleEdge = Edge<RuleEdgeData, 'rule'>;

export function nodeOf(account: Platform, position: Position, data: Omit<AccountNodeData, 'account'>): AccountNode {
  const { width, height } = NODE;
  return {
    id: account.id,
    type: 'account',
    position,
    data: { ...data, account } as AccountNodeData,
    width,
    height,
    measured: { width, height },
    focusable: false,
    selectable: false,
    deletable: false,
  };
}

export function edgeOf(
  arrow: Arrow,
  rule: Rule,
  given: { openId: string | null; highlight: Highlight; isDimmed(arrow: string): boolean; label: string },
): RuleEdge {
  const id = arrowId(arrow);
  const isLoop = given.highlight.arrows.has(id);
  const color = isLoop ? 'var(--mantine-color-red-filled)' : 'var(--rule-color)';
  return {
    id,
    type: 'rule',
    source: arrow.from,
    target: arrow.to,
    data: { isPaused: rule.isPaused, isLoop, isDimmed: given.isDimmed(id), warning: sourceWarnings(rule).join(' ') },
    selected: given.openId === rule.id,
    markerEnd: { type: MarkerType.ArrowClosed, width: 18, height: 18, color },
    ariaRole: 'button',
    ariaLabel: given.label,
    deletable: false,
    interactionWidth: 24,
  };
}
