import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Draft } from '../../../drafts/draft.ts';
import { calendarQuery } from '../../../queries/calendar.ts';
import { useClient } from '../../../queries/client.ts';
import { useZone } from '../../../time/use-zone.ts';
import { DateTimeField } from '../../../ui/date-time-field.tsx';
import { laterThan, type SuggestedTime, suggestionRange, suggestTimes, takenTimes } from './suggested-times.ts';

interface LaterFieldProps {
  at: NonNullable<Draft['at']>;
  accounts: readonly string[];
  /** A new key resets the field. */
  fieldKey: number;
  onType(at: number | null): void;
  onSuggested(at: number): void;
}

/** Date and time fields with suggested times. */
export function LaterField({ at, accounts, fieldKey, onType, onSuggested }: LaterFieldProps) {
  const t = useTranslations('composeTime');
  const format = useFormatter();
  const zone = useZone();
  const labelId = useId();
  const [openedAt] = useState(() => Date.now());
  const range = useMemo(() => suggestionRange(zone, openedAt), [zone, openedAt]);
  const { data } = useQuery({ ...calendarQuery(useClient(), range), refetchInterval: false });
  const suggested = suggestTimes(zone, Date.now(), takenTimes(data?.posts ?? [], accounts));
  const nameOf = ({ at: moment, kind }: SuggestedTime) => {
    const time = format.dateTime(moment, { timeStyle: 'short' });
    const date = format.dateTime(moment, { weekday: 'long', month: 'short', day: 'numeric' });
    return t(`suggested.${kind}`, { time, date });
  };
  return (
    <Stack gap="sm">
      <Group gap="xs" role="group" aria-labelledby={labelId}>
        <Text id={labelId} size="sm" c="dimmed" w="100%">
          {t('suggestions')}
        </Text>
        {suggested.map((each) => (
          <Button
            key={each.at}
            size="xs"
            variant={each.at === at ? 'filled' : 'default'}
            aria-pressed={each.at === at}
            onClick={() => onSuggested(each.at)}
          >
            {nameOf(each)}
          </Button>
        ))}
      </Group>
      <DateTimeField
        key={fieldKey}
        label={t('at')}
        isLabelHidden
        initial={at === 'incomplete' ? laterThan(openedAt) : at}
        zone={zone}
        onChange={onType}
      />
    </Stack>
  );
}
