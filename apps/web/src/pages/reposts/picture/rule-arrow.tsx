/** The arrow of a rule: dashed while paused, with a mark if its source cannot deliver all posts. */
import { Tooltip } from '@mantine/core';
import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from '@xyflow/react';
import { memo } from 'react';
import { IconAlertTriangle, IconPlayerPause } from '../../../ui/icons/index.ts';
import type { RuleEdge } from './elements.ts';
import classes from './picture.module.css';

export const RuleArrow = memo(function RuleArrow({ data, selected, markerEnd, ...ends }: EdgeProps<RuleEdge>) {
  const [path, x, y] = getBezierPath(ends);
  const Icon = data?.warning ? IconAlertTriangle : IconPlayerPause;
  return (
    <>
      <BaseEdge
        path={path}
        {...(markerEnd ? { markerEnd } : {})}
        className={classes.arrow ?? ''}
        data-paused={data?.isPaused || undefined}
        data-loop={data?.isLoop || undefined}
        data-dimmed={data?.isDimmed || undefined}
        data-selected={selected || undefined}
        interactionWidth={24}
      />
      {(data?.warning || data?.isPaused) && (
        <EdgeLabelRenderer>
          <Tooltip label={data.warning} disabled={!data.warning} multiline maw={280}>
            <div
              className={classes.mark}
              data-warning={data.warning ? true : undefined}
              data-dimmed={data.isDimmed || undefined}
              style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
              aria-hidden
            >
              <Icon size={14} />
            </div>
          </Tooltip>
        </EdgeLabelRenderer>
      )}
    </>
  );
});
