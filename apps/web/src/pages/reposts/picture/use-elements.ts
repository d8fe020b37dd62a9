/** The nodes and edges of the picture, with the state of each. */
import type { Rule } from '@reelay/sdk';
import { useMemo } from 'react';
import { useTranslations } from 'use-intl';
import { accountLabel } from '../account-label.ts';
import { countSources } from '../shared-destinations.ts';
import { sourceWarnings } from '../source-notice.tsx';
import { highlightOf, verdictOf } from './drawing.ts';
import { type AccountNode, edgeOf, nodeOf, type Role, type RuleEdge } from './elements.ts';
import { type Arrow, arrowsOf } from './graph.ts';
import { layOut } from './layout.ts';
import type { Positions } from './positions.ts';
import type { useDrawing } from './use-drawing.ts';
import type { useSelection } from './use-selection.ts';

interface ElementsInput {
  rules: readonly Rule[];
  arrows: readonly Arrow[];
  /** The rule whose panel is open. */
  openId: string | null;
  selection: ReturnType<typeof useSelection>;
  drawing: ReturnType<typeof useDrawing>;
  /** Of accounts that the user moved. */
  positions: Positions;
}

export function useElements({ rules, arrows, openId, selection, drawing, positions }: ElementsInput): {
  nodes: AccountNode[];
  edges: RuleEdge[];
} {
  const t = useTranslations('reposts.graph');
  const tRule = useTranslations('reposts');
  const { accounts } = selection;
  const places = useMemo(
    () =>
      layOut(
        accounts.map(({ id }) => id),
        arrows,
      ),
    [accounts, arrows],
  );
  const highlight = highlightOf(drawing.refused?.verdict ?? null, arrows);

  const roleOf = (id: string): Role => {
    if (highlight.accounts.has(id)) return 'loop';
    if (drawing.from === id) return 'source';
    if (drawing.from) return verdictOf(accounts, arrows, drawing.from, id) ? 'invalid' : 'valid';
    if (selection.account?.id === id) return 'found';
    return selection.isAccountBeside(id) ? 'dimmed' : 'idle';
  };
  const labelOf = (rule: Rule, index: number): string => {
    const to = rule.to[index];
    const state = tRule(rule.isPaused ? 'paused' : 'active');
    const arrow = t('arrow', { from: accountLabel(rule.from), to: to ? accountLabel(to) : '', state });
    const warning = sourceWarnings(rule).join(' ');
    return warning ? t('warned', { arrow, warning }) : arrow;
  };
  return {
    nodes: accounts.map((account) => {
      const { id } = account;
      const position = positions[id] ?? places.get(id) ?? { x: 0, y: 0 };
      return nodeOf(account, position, {
        role: roleOf(id),
        sources: countSources(rules, id),
        onTap: drawing.start,
      });
    }),
    edges: rules.flatMap((rule) =>
      arrowsOf([rule]).map((arrow, index) =>
        edgeOf(arrow, rule, {
          openId,
          highlight,
          isDimmed: (id) => !drawing.from && selection.isArrowBeside(id),
          label: labelOf(rule, index),
        }),
      ),
    ),
  };
}
