/** Adding a rule. The service refuses loops and says which rules form one. */
import { Button, Group, Modal, MultiSelect, Select, Stack, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAddRule } from '../../service/rules.ts';
import { Failure } from '../../ui/failure.tsx';
import { platformName } from '../../ui/platform-icon.tsx';

export function AddRule({ accounts, onClose }: { accounts: readonly Platform[]; onClose(): void }) {
  const t = useTranslations('reposts');
  const add = useAddRule();
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string[]>([]);
  const choices = accounts.map(({ id, platform, username }) => ({
    value: id,
    label: `${platformName(platform)}: ${username}`,
  }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await add.mutateAsync({ from: from ?? '', to });
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={t('addTitle')} centered>
      <form onSubmit={(event) => void submit(event).catch(() => {})}>
        <Stack>
          <Select
            label={t('from')}
            description={t('fromHint')}
            data={choices}
            value={from}
            onChange={(value) => {
              setFrom(value);
              setTo(to.filter((id) => id !== value));
            }}
            searchable
            required
          />
          <MultiSelect
            label={t('to')}
            data={choices.filter(({ value }) => value !== from)}
            value={to}
            onChange={setTo}
            searchable
            required
          />
          <Text size="sm" c="dimmed">
            {t('addHint')}
          </Text>
          <Failure error={add.error} texts={{ circular_dependency: t('loop'), duplicate_rule: t('duplicate') }} />
          <Group justify="flex-end">
            <Button type="submit" loading={add.isPending} disabled={!from || to.length === 0}>
              {t('add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
