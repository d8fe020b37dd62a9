import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useFormatter, useTranslations } from 'use-intl';
import { Failure } from '../../../ui/failure.tsx';
import { PlatformIcon } from '../../../ui/platform-icon.tsx';
import { accountLabel } from '../account-label.ts';
import classes from './panel.module.css';
import type { OptionsFormState } from './use-options-form.ts';

/** The description on each destination, with its length and problems. */
export function CaptionPreview({ rule, form }: { rule: Rule; form: OptionsFormState }) {
  const t = useTranslations('reposts.caption');
  const format = useFormatter();
  const { result, isPending, error } = form.preview;
  const isEmpty = result !== null && result.items.length === 0 && form.sample === '';
  return (
    <Stack gap="xs" component="section" aria-label={t('result')}>
      <Text fw={500} size="sm">
        {t('result')}
      </Text>
      <Failure error={error} />
      {isPending && !error && <Loader size="sm" aria-label={t('result')} />}
      {isEmpty && (
        <Text size="sm" c="dimmed">
          {t('none')}
        </Text>
      )}
      {!isEmpty &&
        result?.captions.map(({ platformId, text, count, limit, problem }) => {
          const account = rule.to.find(({ id }) => id === platformId);
          return (
            <Stack key={platformId} gap={4}>
              <Group gap="xs" wrap="nowrap">
                {account && <PlatformIcon platform={account.platform} size={16} />}
                <Text size="sm" fw={500} truncate>
                  {account && accountLabel(account)}
                </Text>
                <Text size="sm" c="dimmed" ml="auto" style={{ flex: 'none' }}>
                  {Number.isSafeInteger(limit) ? t('count', { count, limit }) : format.number(count)}
                </Text>
              </Group>
              <Text size="sm" className={classes.text} dir="auto" translate="no">
                {text || t('emptyText')}
              </Text>
              {problem && (
                <Alert color="red" p="xs">
                  {problem}
                </Alert>
              )}
            </Stack>
          );
        })}
    </Stack>
  );
}
