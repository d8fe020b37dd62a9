/** The settings of an account, such as its board or its audience. The service defines them. */
import { Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import type { Account } from '@reelay/sdk';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useChoose } from '../../queries/accounts.ts';
import { Failure } from '../../ui/failure.tsx';
import { useChoiceLabel } from '../../ui/rich-text.tsx';
import { changedChoices } from './access.ts';

export function AccountSettings({ account, onDirty }: { account: Account; onDirty(isDirty: boolean): void }) {
  const t = useTranslations('accounts');
  const labelOf = useChoiceLabel();
  const save = useChoose(account.id);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const changes = changedChoices(account.choices, typed);
  const isDirty = Object.keys(changes).length > 0;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  if (account.choices.length === 0) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(changes, { onSuccess: () => setTyped({}) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" component="section" aria-labelledby="account-settings">
        <Title order={3} size="h5" id="account-settings">
          {t('settings.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('settings.hint')}
        </Text>
        {account.choices.map(({ name, required, value, values, ...choice }) => (
          <Select
            key={name}
            label={labelOf(choice)}
            description={required && value === null ? t('settings.missing') : undefined}
            placeholder={t('settings.none')}
            allowDeselect={false}
            searchable={values.length > 10}
            nothingFoundMessage={t('settings.noMatch')}
            data={values.map((each) => ({ value: each.value, label: labelOf(each) }))}
            value={typed[name] ?? value}
            onChange={(chosen) => {
              save.reset();
              if (chosen !== null) setTyped((before) => ({ ...before, [name]: chosen }));
            }}
          />
        ))}
        <Failure error={save.error} />
        <Group>
          <Button type="submit" disabled={!isDirty} loading={save.isPending}>
            {t('settings.save')}
          </Button>
          <Text size="sm" role="status">
            {save.isSuccess && !isDirty && t('settings.saved')}
          </Text>
        </Group>
      </Stack>
    </form>
  );
}
