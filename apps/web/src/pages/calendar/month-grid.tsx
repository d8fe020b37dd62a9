import { MonthView } from '@mantine/schedule';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { dayOf } from '../../time/zone-time.ts';
import classes from './calendar.module.css';
import { droppedId } from './drag.ts';
import { EntryBlock } from './entry-block.tsx';
import type { GridProps } from './grid-props.ts';
import { eventOf, proposedOn } from './moves.ts';

const MAX_ENTRIES = 4;

/** A month in whole weeks. A post dropped on a day keeps its time of day. */
export function MonthGrid({
  date,
  entries,
  zone,
  text,
  now,
  dragged,
  onDrag,
  onDrop,
  onCreate,
  onChangeTime,
}: GridProps) {
  const t = useTranslations('calendar');
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const today = dayOf(zone.wallAt(now));
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The router scrolls a new page to its top when it is rendered.
    const frame = requestAnimationFrame(() =>
      root.current?.querySelector('[aria-current=date]')?.scrollIntoView({ block: 'nearest' }),
    );
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <MonthView
      ref={root}
      date={`${date} 00:00:00`}
      withHeader={false}
      consistentWeeks={false}
      highlightToday={false}
      weekendDays={[]}
      firstDayOfWeek={1}
      maxEventsPerDay={MAX_ENTRIES}
      weekdayFormat={(day) => text.weekday(day.slice(0, 10))}
      classNames={{ monthViewDay: classes.day, monthViewEvents: classes.events }}
      data-dragging={dragged !== null || undefined}
      events={entries.map(eventOf)}
      getDayProps={(day) => ({
        'aria-label': proposedOn(day, zone, now) === null ? text.day(day) : t('newOn', { date: text.day(day) }),
        'aria-disabled': proposedOn(day, zone, now) === null || undefined,
        'aria-current': day === today ? 'date' : undefined,
      })}
      onDayClick={(day) => {
        const at = proposedOn(day, zone, now);
        if (at !== null) onCreate(at);
      }}
      onExternalEventDrop={(transfer, wall) => {
        const entry = known.get(droppedId(transfer));
        if (entry) onDrop(entry, { day: dayOf(wall) });
      }}
      renderEvent={({ id }, { style }) => {
        const entry = known.get(String(id));
        if (!entry) return <span />;
        return (
          <EntryBlock
            entry={entry}
            text={text}
            style={style?.position ? style : undefined}
            onChangeTime={onChangeTime}
            onDrag={onDrag}
          />
        );
      }}
      labels={{ moreLabel: (count) => t('more', { count }) }}
    />
  );
}
