/** The panel beside the forms for visitors, on wide screens: what Reelay does, and a wall of videos. */
import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import classes from './sign-in.module.css';

const COLUMNS = [0, 1, 2, 3, 4];
const ROWS = [0, 1, 2, 3];
/** Column and row of the videos that are marked as posted. */
const POSTED: readonly (readonly [number, number])[] = [
  [1, 1],
  [2, 1],
  [2, 2],
  [3, 2],
];

/** Distance of two videos, in units of the drawing. */
const STEP = { x: 84, y: 140 } as const;

export function SignInArt() {
  const t = useTranslations('signIn');
  return (
    <aside className={classes.art}>
      <svg className={classes.wall} viewBox="0 0 420 560" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <g transform="rotate(-12 210 280)">
          {COLUMNS.map((column) => ROWS.map((row) => <Video key={`${column}-${row}`} column={column} row={row} />))}
        </g>
      </svg>
      <div className={classes.promise}>
        <Text className={classes.headline}>{t('promise')}</Text>
        <Text size="lg">{t('promiseHint')}</Text>
      </div>
    </aside>
  );
}

function Video({ column, row }: { column: number; row: number }) {
  const order = POSTED.findIndex(([atColumn, atRow]) => atColumn === column && atRow === row);
  const isPosted = order >= 0;
  const x = column * STEP.x;
  const y = row * STEP.y - (column % 2) * (STEP.y / 2) + STEP.y / 4;
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width="72" height="128" rx="12" className={classes.video} data-posted={isPosted || undefined} />
      <path d="M27 48v32l24-16z" className={classes.mark} data-posted={isPosted || undefined} />
      {isPosted && (
        <g transform="translate(58 14)">
          <g className={classes.check} style={{ animationDelay: `${300 + order * 160}ms` }}>
            <circle r="10" />
            <path d="M-4 0l3 3 5-6" />
          </g>
        </g>
      )}
    </g>
  );
}
