/** What would happen on each account, asked from the service while the user composes. */
import { Alert, List, Text } from '@mantine/core';
import type { PostCheck } from '@reelay/sdk';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useClient } from '../../service/service-client.ts';
import { Failure } from '../../ui/failure.tsx';
import { platformName } from '../../ui/platform-icon.tsx';
import { type Draft, scheduledAt } from './draft.ts';

/** @param draft already debounced */
export function useVerdicts(draft: Draft) {
  const client = useClient();
  const { upload, accounts, description, previewTime } = draft;
  const at = scheduledAt(draft);
  return useQuery<PostCheck, Error>({
    queryKey: ['check', upload?.id, accounts, description, at, previewTime],
    queryFn: ({ signal }) =>
      client.posts.check({
        uploadId: upload?.id ?? '',
        platforms: accounts,
        description,
        previewTime,
        ...(at === null ? {} : { scheduled: at }),
        signal,
      }),
    enabled: upload !== null && accounts.length > 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

export function Verdicts({ check, error }: { check: PostCheck | undefined; error: Error | null }) {
  const t = useTranslations('compose');
  if (error) return <Failure error={error} />;
  const said = check?.result.filter(({ reasons }) => reasons.length > 0) ?? [];
  if (!check || (said.length === 0 && check.reasons.length === 0)) return null;
  const isBad = said.some(({ outcome }) => outcome === 'fails' || outcome === 'refused');
  return (
    <Alert color={isBad ? 'red' : 'blue'} title={t('checks')}>
      <List size="sm">
        {check.reasons.map(({ code, message }) => (
          <List.Item key={code}>{message}</List.Item>
        ))}
        {said.map(({ platformId, platform, username, outcome, reasons }) => (
          <List.Item key={platformId}>
            <Text span inherit fw={600}>
              {platformName(platform)} ({username}), {t(`outcome.${outcome}`)}:{' '}
            </Text>
            {reasons.map(({ message }) => message).join(' ')}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
