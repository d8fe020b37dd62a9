/** When to post: now, or at a time in the user's time zone. */
import { Group, Radio, Stack } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Draft } from '../../../drafts/draft.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { laterThan } from './suggested-times.ts';

interface TimeFieldProps {
  at: Draft['at'];
  accounts: readonly string[];
  onChange(at: Draft['at']): void;
}

/** Loaded on demand, because the calendar of the date field is large. */
const LaterField = lazyPart(async () => (await import('./later-field.tsx')).LaterField);

export function TimeField({ at, accounts, onChange }: TimeFieldProps) {
  const t = useTranslations('composeTime');
  const [field, setField] = useState({ key: 0, at });
  // A change from elsewhere, such as another tab, resets the field.
  if (field.at !== at) setField({ key: field.key + 1, at });
  const type = (next: Draft['at']) => {
    setField({ key: field.key, at: next });
    onChange(next);
  };
  const restore = useEffectEvent(() => {
    // The typed text was lost with the previous page.
    if (at === 'incomplete') onChange(laterThan(Date.now()));
  });
  useEffect(() => restore(), []);
  return (
    <Stack gap="sm">
      <Radio.Group
        label={t('when')}
        value={at === null ? 'now' : 'later'}
        onChange={(value) => onChange(value === 'now' ? null : laterThan(Date.now()))}
      >
        <Group mt="xs">
          <Radio value="now" label={t('now')} />
          <Radio value="later" label={t('later')} />
        </Group>
      </Radio.Group>
      {at !== null && (
        <LaterField
          fieldKey={field.key}
          at={at}
          accounts={accounts}
          onType={(next) => type(next ?? 'incomplete')}
          onSuggested={onChange}
        />
      )}
    </Stack>
  );
}
