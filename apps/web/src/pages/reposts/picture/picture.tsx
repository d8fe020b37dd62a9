/** The graph of the rules: accounts are boxes, rules are arrows. Users draw an arrow to add a rule. */
import '@xyflow/react/dist/base.css';
import { Button, Group, Stack, Text, useComputedColorScheme } from '@mantine/core';
import type { Platform, Rule } from '@reelay/sdk';
import { MiniMap, type NodeChange, Panel, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Failure } from '../../../ui/failure.tsx';
import { accountLabel } from '../account-label.ts';
import { countSources } from '../shared-destinations.ts';
import { sourceWarnings } from '../source-notice.tsx';
import { AccountBox } from './account-node.tsx';
import { highlightOf, verdictOf } from './drawing.ts';
import { AddedNotice, RefusalNotice } from './drawing-notice.tsx';
import { type AccountNode, edgeOf, nodeOf, type Role, type RuleEdge } from './elements.ts';
import { arrowsOf } from './graph.ts';
import { HoveredAccount } from './hovered-account.tsx';
import { layOut, type Position } from './layout.ts';
import classes from './picture.module.css';
import { RuleArrow } from './rule-arrow.tsx';
import { Tools } from './tools.tsx';
import { useDrawing } from './use-drawing.ts';
import { useMovedAccounts } from './use-positions.ts';

const NODE_TYPES = { account: AccountBox };
const EDGE_TYPES = { rule: RuleArrow };
const FIT = { padding: 0.12, maxZoom: 1 };
/** Above this number of accounts, a minimap is shown. */
const MAP_FROM = 24;

interface PictureProps {
  accounts: readonly Platform[];
  rules: readonly Rule[];
  openId: string | null;
  /** @param tab where the panel of the rule opens; default: its activity */
  onOpen(id: string, tab?: 'options'): void;
}

export function Picture(props: PictureProps) {
  const t = useTranslations('reposts.graph');
  return (
    <Stack gap="xs" component="section" aria-label={t('label')}>
      <Text size="sm" c="dimmed">
        {t('hint')} {t('keyboard')}
      </Text>
      <ReactFlowProvider>
        <Canvas {...props} />
      </ReactFlowProvider>
    </Stack>
  );
}

function Canvas({ accounts, rules, openId, onOpen }: PictureProps) {
  const t = useTranslations('reposts.graph');
  const tRule = useTranslations('reposts');
  const scheme = useComputedColorScheme('light');
  const flow = useReactFlow();
  const arrows = useMemo(() => arrowsOf(rules), [rules]);
  const places = useMemo(
    () =>
      layOut(
        accounts.map(({ id }) => id),
        arrows,
      ),
    [accounts, arrows],
  );
  const { moved, move, reset } = useMovedAccounts();
  const [dragged, setDragged] = useState<{ id: string; position: Position } | null>(null);
  const [found, setFound] = useState<string | null>(null);
  const drawing = useDrawing(accounts, arrows);
  const highlight = highlightOf(drawing.refused?.verdict ?? null, arrows);

  const roleOf = (id: string): Role => {
    if (highlight.accounts.has(id)) return 'loop';
    if (drawing.from === id) return 'source';
    if (drawing.from) return verdictOf(accounts, arrows, drawing.from, id) ? 'invalid' : 'valid';
    return found === id ? 'found' : 'idle';
  };
  const nodes = accounts.map((account) => {
    const { id } = account;
    const position = (dragged?.id === id ? dragged.position : moved[id]) ?? places.get(id) ?? { x: 0, y: 0 };
    return nodeOf(account, position, {
      role: roleOf(id),
      sources: countSources(rules, id),
      onTap: drawing.start,
    });
  });
  const edges = rules.flatMap((rule) =>
    arrowsOf([rule]).map((arrow, index) => edgeOf(arrow, rule, { openId, highlight, label: labelOf(rule, index) })),
  );

  function labelOf(rule: Rule, index: number): string {
    const to = rule.to[index];
    const state = tRule(rule.isPaused ? 'paused' : 'active');
    const arrow = t('arrow', { from: accountLabel(rule.from), to: to ? accountLabel(to) : '', state });
    const warning = sourceWarnings(rule).join(' ');
    return warning ? t('warned', { arrow, warning }) : arrow;
  }
  const onNodesChange = (changes: readonly NodeChange<AccountNode>[]) => {
    for (const change of changes) {
      if (change.type !== 'position' || !change.position) continue;
      if (change.dragging) setDragged({ id: change.id, position: change.position });
    }
  };
  return (
    <div className={`${classes.frame} ${drawing.from ? classes.drawing : ''}`} data-testid="rule-picture">
      <ReactFlow<AccountNode, RuleEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode={scheme}
        fitView
        fitViewOptions={FIT}
        minZoom={0.1}
        maxZoom={1.5}
        proOptions={{ hideAttribution: true }}
        connectOnClick={false}
        connectionRadius={16}
        connectionLineStyle={{
          stroke: drawing.refused ? 'var(--mantine-color-red-filled)' : 'var(--mantine-primary-color-filled)',
          strokeWidth: 2.5,
        }}
        isValidConnection={({ source, target }) => verdictOf(accounts, arrows, source, target) === null}
        onConnectStart={(_, { nodeId }) => nodeId && drawing.start(nodeId)}
        onConnectEnd={(_, { toNode, fromNode }) => {
          // A click on the handle starts an arrow without dragging. Another click selects the second account.
          if (toNode || !isOver(_, fromNode?.id)) drawing.end(toNode?.id ?? null);
        }}
        onNodeClick={(_, { id }) => drawing.from && drawing.end(id)}
        onPaneClick={() => drawing.from && drawing.end(null)}
        onEdgeClick={(_, { id }) => onOpen(id.split(' ')[0] ?? '')}
        onEdgesChange={(changes) => {
          for (const change of changes)
            if (change.type === 'select' && change.selected) onOpen(change.id.split(' ')[0] ?? '');
        }}
        onNodesChange={onNodesChange}
        onNodeDragStop={(_, node) => {
          move(node.id, node.position);
          setDragged(null);
        }}
        nodesFocusable={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
      >
        <HoveredAccount onHover={drawing.hover} />
        <Panel position="top-left">
          <Tools
            accounts={accounts}
            found={found}
            onFind={setFound}
            onTidy={
              Object.keys(moved).length === 0
                ? null
                : () => {
                    reset();
                    requestAnimationFrame(() => void flow.fitView(FIT));
                  }
            }
          />
        </Panel>
        {accounts.length > MAP_FROM && <MiniMap pannable zoomable ariaLabel={null} className={classes.map ?? ''} />}
        <Panel position="bottom-left">
          <DrawingNotices drawing={drawing} accounts={accounts} onOpen={onOpen} />
        </Panel>
      </ReactFlow>
    </div>
  );
}

interface DrawingNoticesProps extends Pick<PictureProps, 'accounts' | 'onOpen'> {
  drawing: ReturnType<typeof useDrawing>;
}

/** What drawing an arrow needs, and what it has done. */
function DrawingNotices({ drawing, accounts, onOpen }: DrawingNoticesProps) {
  const t = useTranslations('reposts.graph');
  const { added, refused } = drawing;
  const nameOf = (id: string) => {
    const account = accounts.find((each) => each.id === id);
    return account ? accountLabel(account) : id;
  };
  return (
    <Stack gap="xs">
      {drawing.from && !refused && (
        <Group className={classes.account} p="xs" role="status">
          <Text size="sm">{t('drawing')}</Text>
          <Button size="compact-sm" variant="default" onClick={() => drawing.end(null)}>
            {t('cancel')}
          </Button>
        </Group>
      )}
      {refused && (
        <RefusalNotice {...refused} accounts={accounts} {...(drawing.from ? {} : { onClose: drawing.dismiss })} />
      )}
      <Failure error={drawing.error} />
      {added && (
        <AddedNotice
          text={t('added', { from: nameOf(added.from), to: nameOf(added.to) })}
          isUndoing={drawing.isUndoing}
          onOptions={() => onOpen(added.id, 'options')}
          onUndo={drawing.undo}
          onClose={drawing.dismiss}
        />
      )}
    </Stack>
  );
}

/** Whether the pointer was released on the account where the arrow began. */
function isOver(event: MouseEvent | TouchEvent, id: string | undefined): boolean {
  const node = event.target instanceof Element ? event.target.closest('.react-flow__node') : null;
  return id !== undefined && node?.getAttribute('data-id') === id;
}
