/** Date and time fields in a time zone. They show why a time cannot be scheduled. */
import { Fieldset, Group, Radio, Text, VisuallyHidden } from '@mantine/core';
import { DatePickerInput, TimeInput } from '@mantine/dates';
import '@mantine/dates/styles.layer.css';
import dayjs from 'dayjs';
import localizedFormat from 'dayjs/plugin/localizedFormat';
import 'dayjs/locale/de';
import { useId, useState } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import { languageFor } from '../messages/languages.ts';
import { addDays, dayOf, momentsLike, timeOf, utcOfDay, utcOfTime, type Zone } from '../time/zone-time.ts';
import { useCalendarLabels } from './calendar-labels.ts';
import { readTyped } from './date-time-value.ts';

// For the localized format of the date.
dayjs.extend(localizedFormat);

interface DateTimeFieldProps {
  label: string;
  /** Whether only screen readers get the label. */
  isLabelHidden?: boolean;
  /** Initial value, in ms since the epoch. */
  initial: number;
  zone: Zone;
  /** Called with ms since the epoch, also of a time that cannot be scheduled; null while the time is incomplete. */
  onChange(at: number | null): void;
}

const MAX_AHEAD_DAYS = 366;
/** Shows the UTC offset, which distinguishes the two occurrences of a repeated time. */
const CHOICE_FORMAT = { hour: 'numeric', minute: '2-digit', timeZoneName: 'shortOffset' } as const;
const DAY_FORMAT = { dateStyle: 'medium', timeZone: 'UTC' } as const;
const TIME_FORMAT = { timeStyle: 'short', timeZone: 'UTC' } as const;

/** An uncontrolled field: a new `key` resets it. */
export function DateTimeField({ label, isLabelHidden = false, initial, zone, onChange }: DateTimeFieldProps) {
  const t = useTranslations('dateTime');
  const locale = useLocale();
  const format = useFormatter();
  const calendarLabels = useCalendarLabels();
  const hintId = useId();
  const now = Date.now();
  const today = dayOf(zone.wallAt(now));
  const [day, setDay] = useState<string | null>(() => dayOf(zone.wallAt(initial)));
  const [time, setTime] = useState(() => timeOf(zone.wallAt(initial)));
  const [isSecond, setIsSecond] = useState(() => momentsLike(zone, initial).indexOf(initial) === 1);
  const { problem, note, wall, choices } = readTyped(day, time, zone, now, isSecond);
  const timeWithOffset = (ms: number) =>
    new Intl.DateTimeFormat(locale, { ...CHOICE_FORMAT, timeZone: zone.name }).format(ms);
  const type = (nextDay: string | null, nextTime: string, nextIsSecond = false) => {
    setDay(nextDay);
    setTime(nextTime);
    setIsSecond(nextIsSecond);
    onChange(readTyped(nextDay, nextTime, zone, Date.now(), nextIsSecond).at);
  };
  return (
    <Fieldset
      legend={isLabelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      variant="unstyled"
      aria-describedby={hintId}
    >
      <Group gap="sm" align="flex-start" mt={4}>
        <DatePickerInput
          label={t('day')}
          locale={languageFor([locale])}
          ariaLabels={calendarLabels}
          valueFormatter={({ date }) => (typeof date === 'string' ? format.dateTime(utcOfDay(date), DAY_FORMAT) : '')}
          value={day}
          minDate={today}
          maxDate={addDays(today, MAX_AHEAD_DAYS)}
          onChange={(next) => type(next, time)}
          weekendDays={[]}
          flex="1 1 160px"
        />
        <TimeInput
          label={t('time')}
          value={time}
          onChange={({ currentTarget }) => type(day, currentTarget.value)}
          error={problem !== null}
          flex="1 1 110px"
        />
      </Group>
      <Text id={hintId} size="sm" c="dimmed" mt={6}>
        {t('zone', { zone: zone.name })}
      </Text>
      <div aria-live="polite">
        {problem && (
          <Text size="sm" c="var(--mantine-color-error)" mt={4}>
            {t(`problem.${problem}`)}
          </Text>
        )}
        {!problem && note === 'skipped' && (
          <Text size="sm" mt={4}>
            {t('skipped', { time: format.dateTime(utcOfTime(timeOf(wall)), TIME_FORMAT) })}
          </Text>
        )}
      </div>
      {choices.length > 0 && (
        <Radio.Group
          label={t('repeated')}
          mt={6}
          value={isSecond ? 'second' : 'first'}
          onChange={(which) => type(day, time, which === 'second')}
        >
          <Group mt="xs">
            {(['first', 'second'] as const).map((which, index) => (
              <Radio key={which} value={which} label={t(which, { time: timeWithOffset(choices[index] ?? 0) })} />
            ))}
          </Group>
        </Radio.Group>
      )}
    </Fieldset>
  );
}
