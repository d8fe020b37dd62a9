/** The graph of the rules: accounts are boxes, rules are arrows. Users draw an arrow to add a rule. */
import '@xyflow/react/dist/base.css';
import { Button, Group, Stack, Text, useComputedColorScheme } from '@mantine/core';
import type { Platform, Rule } from '@reelay/sdk';
import { MiniMap, type NodeChange, Panel, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react';
import { type MouseEvent as ReactMouseEvent, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Failure } from '../../../ui/failure.tsx';
import { accountLabel } from '../account-label.ts';
import { AccountBox } from './account-node.tsx';
import { AccountRules } from './account-rules.tsx';
import { verdictOf } from './drawing.ts';
import { AddedNotice, RefusalNotice } from './drawing-notice.tsx';
import type { AccountNode, RuleEdge } from './elements.ts';
import { arrowsOf } from './graph.ts';
import { HoveredAccount } from './hovered-account.tsx';
import type { Position } from './layout.ts';
import classes from './picture.module.css';
import { RuleArrow } from './rule-arrow.tsx';
import { Tools } from './tools.tsx';
import { useDrawing } from './use-drawing.ts';
import { useElements } from './use-elements.ts';
import { useFit } from './use-fit.ts';
import { useMovedAccounts } from './use-positions.ts';
import { useSelection } from './use-selection.ts';

const NODE_TYPES = { account: AccountBox };
const EDGE_TYPES = { rule: RuleArrow };

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

function Canvas({ accounts: all, rules, openId, onOpen }: PictureProps) {
  const scheme = useComputedColorScheme('light');
  const flow = useReactFlow();
  const arrows = useMemo(() => arrowsOf(rules), [rules]);
  const selection = useSelection(all, arrows);
  const { accounts, isFiltered } = selection;
  const { fit, hasMap } = useFit(accounts.length, isFiltered);
  const { moved, move, reset } = useMovedAccounts();
  /** Whether the rules would cover their account at their usual place. */
  const [isLowerLeft, setIsLowerLeft] = useState(false);
  const [dragged, setDragged] = useState<{ id: string; position: Position } | null>(null);
  const drawing = useDrawing(accounts, arrows);
  const positions = dragged ? { ...moved, [dragged.id]: dragged.position } : moved;
  const isDrawing = Boolean(drawing.from || drawing.refused || drawing.added);
  const { nodes, edges } = useElements({ rules, arrows, openId, selection, drawing, positions });
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
        fitViewOptions={fit}
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
        onNodeClick={(event, { id }) => {
          if (drawing.from) return drawing.end(id);
          setIsLowerLeft(isInLowerLeft(event));
          selection.select(selection.account?.id === id ? null : id);
        }}
        onNodeMouseEnter={(_, { id }) => selection.hover(id)}
        onNodeMouseLeave={() => selection.hover(null)}
        onPaneClick={() => {
          if (drawing.from) drawing.end(null);
          else selection.select(null);
        }}
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
            found={selection.account?.id ?? null}
            isFiltered={isFiltered}
            fit={fit}
            onFind={selection.select}
            onFilter={selection.filter}
            onTidy={
              Object.keys(moved).length === 0
                ? null
                : () => {
                    reset();
                    requestAnimationFrame(() => void flow.fitView(fit));
                  }
            }
          />
        </Panel>
        {hasMap && <MiniMap pannable zoomable ariaLabel={null} className={classes.map ?? ''} />}
        <Panel position="bottom-left">
          <DrawingNotices drawing={drawing} accounts={accounts} onOpen={onOpen} />
        </Panel>
        <Panel position={isLowerLeft ? 'center-right' : 'bottom-left'}>
          {selection.account && !isDrawing && (
            <AccountRules
              account={selection.account}
              rules={rules}
              onOpen={onOpen}
              onClose={() => selection.select(null)}
            />
          )}
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

/** Whether a click was in the lower left quarter of the picture. */
function isInLowerLeft({ currentTarget, clientX, clientY }: ReactMouseEvent): boolean {
  const frame = currentTarget.closest('.react-flow')?.getBoundingClientRect();
  return frame !== undefined && clientX < frame.x + frame.width / 2 && clientY > frame.y + frame.height / 2;
}
