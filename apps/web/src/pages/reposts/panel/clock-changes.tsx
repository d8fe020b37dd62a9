import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { type OddTime, oddTimes } from '../../../time/clock-changes.ts';
import { createZone, utcOfDay, utcOfTime } from '../../../time/zone-time.ts';

/** Explains the quiet hours on the next days on which the clock skips or repeats their start or end. */
export function ClockChanges({ times, zone }: { times: readonly [from: string, to: string]; zone: string }) {
  const t = useTranslations('reposts.timing.clock');
  const format = useFormatter();
  const [from, to] = times;
  const odd = useMemo(() => oddIn(zone, [from, to]), [zone, from, to]);
  const show = (each: string) => format.dateTime(utcOfTime(each), { timeStyle: 'short', timeZone: 'UTC' });
  return (
    <div aria-live="polite">
      {odd.map(({ kind, day, time, used }) => (
        <Text key={`${day} ${time}`} size="sm" c="dimmed">
          {t(kind, {
            day: format.dateTime(utcOfDay(day), { dateStyle: 'long', timeZone: 'UTC' }),
            ...{ time: show(time), used: show(used) },
          })}
        </Text>
      ))}
    </div>
  );
}

/** Empty if only the service, but not the browser, knows the zone. */
function oddIn(zone: string, times: readonly string[]): OddTime[] {
  try {
    return oddTimes(createZone(zone), times, Date.now());
  } catch {
    return [];
  }
}
