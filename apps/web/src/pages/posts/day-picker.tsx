import { FocusTrap } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import '@mantine/dates/styles.layer.css';
import 'dayjs/locale/de';
import { useState } from 'react';
import { useLocale } from 'use-intl';
import { languageFor } from '../../messages/languages.ts';
import { useZone } from '../../time/use-zone.ts';
import { dayOf } from '../../time/zone-time.ts';
import { useCalendarLabels } from '../../ui/calendar-labels.ts';

interface DayPickerProps {
  /** "": none. */
  day: string;
  onChoose(day: string): void;
}

/** A calendar that takes the focus. It opens at the chosen day, or today. */
export function DayPicker({ day, onChoose }: DayPickerProps) {
  const locale = useLocale();
  const zone = useZone();
  const calendarLabels = useCalendarLabels();
  const [first] = useState(() => day || dayOf(zone.wallAt(Date.now())));
  return (
    <FocusTrap>
      <div>
        <DatePicker
          locale={languageFor([locale])}
          ariaLabels={calendarLabels}
          value={day || null}
          defaultDate={first}
          onChange={(chosen) => chosen && onChoose(chosen)}
          getDayProps={(date) => (date === first ? { 'data-autofocus': true } : {})}
          weekendDays={[]}
        />
      </div>
    </FocusTrap>
  );
}
