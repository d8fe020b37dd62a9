import { WeekView } from '@mantine/schedule';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { addDays, weekStart } from '../../time/zone-time.ts';
import classes from './calendar.module.css';
import { droppedId } from './drag.ts';
import { EntryBlock } from './entry-block.tsx';
import type { GridProps } from './grid-props.ts';
import { eventOf, positionOf } from './moves.ts';

const SLOT_MINUTES = 30;

/** A week with slots of half an hour. @param firstHour wall time at the top when it opens */
export function WeekGrid({ firstHour, ...props }: GridProps & { firstHour: string }) {
  const { date, entries, zone, text, now, dragged, onDrag, onDrop, onCreate, onChangeTime, onDay } = props;
  const t = useTranslations('calendar');
  const known = new Map(entries.map((entry) => [entry.id, entry]));
  const root = useRef<HTMLDivElement>(null);
  // The library labels the days by ISO date. Screen readers need the text that is shown.
  useEffect(() => {
    const labels = root.current?.querySelectorAll<HTMLElement>(`.${classes.weekday}`) ?? [];
    for (const [index, label] of [...labels].entries()) {
      label.removeAttribute('aria-label');
      label.title = text.day(addDays(weekStart(date), index));
    }
  }, [date, text]);
  return (
    <WeekView
      ref={root}
      date={date}
      withHeader={false}
      withWeekNumber={false}
      withAllDaySlots={false}
      withCurrentTimeIndicator={false}
      highlightToday
      getCurrentTime={() => zone.wallAt(Date.now())}
      weekendDays={[]}
      firstDayOfWeek={1}
      intervalMinutes={SLOT_MINUTES}
      startScrollTime={firstHour}
      slotHeight={72}
      slotLabelFormat={text.hour}
      weekdayFormat={(day) => text.weekday(day.slice(0, 10))}
      scrollAreaProps={{ mah: 'max(420px, calc(100dvh - 250px))' }}
      classNames={{ weekViewDaySlot: classes.slot, weekViewDaySlots: classes.slots, weekViewDayLabel: classes.weekday }}
      data-dragging={dragged !== null || undefined}
      events={entries.map(eventOf)}
      onDateChange={(day) => onDay(day.slice(0, 10))}
      getTimeSlotProps={({ start }) => {
        const at = zone.momentOf(start);
        const isPast = at <= now;
        return {
          'aria-label': isPast ? t('past', { time: text.moment(at) }) : t('newAt', { time: text.moment(at) }),
          'aria-disabled': isPast || undefined,
        };
      }}
      onTimeSlotClick={({ slotStart }) => {
        const at = zone.momentOf(slotStart);
        if (at > now) onCreate(at);
      }}
      onExternalEventDrop={(transfer, slot) => {
        const entry = known.get(droppedId(transfer));
        if (entry) onDrop(entry, { slot });
      }}
      renderEvent={({ id }, { style }) => {
        const entry = known.get(String(id));
        if (!entry) return <span />;
        return (
          <EntryBlock
            entry={entry}
            text={text}
            style={{ ...style, ...positionOf(entry.wall) }}
            isTall
            onChangeTime={onChangeTime}
            onDrag={onDrag}
          />
        );
      }}
      labels={{ weekday: '' }}
    />
  );
}
