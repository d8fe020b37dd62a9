/** Accounts that are retried, by cause, with buttons that try them now, or stop. */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { Post } from '@reelay/sdk';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useStopTrying, useTryNow } from '../../queries/posts.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { IconRefresh } from '../../ui/icons/index.ts';
import { AccountGroup } from './account-group.tsx';
import { groupTroubles, type TroubledGroup } from './causes.ts';

export function Troubles({ post }: { post: Post }) {
  const t = useTranslations('post');
  const groups = groupTroubles(post.result);
  if (groups.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label={t('troubles')}>
      {groups.map((group) => (
        <TroubledAccounts key={group.cause} group={group} post={post} />
      ))}
    </Stack>
  );
}

function TroubledAccounts({ group: { cause, results }, post }: { group: TroubledGroup; post: Post }) {
  const t = useTranslations('post');
  const tryNow = useTryNow(post.id);
  const stop = useStopTrying(post.id);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <AccountGroup
      color="orange"
      icon={<IconRefresh aria-hidden />}
      title={t(`trouble.${cause}.title`)}
      help={t(`trouble.${cause}.help`)}
      results={results}
    >
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={tryNow.isPending}
          onClick={() => tryNow.mutate({ platforms: results.map(({ id }) => id) })}
        >
          {t('tryNow', { count: results.length })}
        </Button>
        <Button size="xs" variant="subtle" color="red" onClick={() => setIsAsking(true)}>
          {t('stop', { count: results.length })}
        </Button>
        {tryNow.isSuccess && (
          <Text size="sm" role="status">
            {t('tryNowDone')}
          </Text>
        )}
      </Group>
      <Failure error={tryNow.error} />
      {isAsking && (
        <ConfirmDialog
          title={t('stopTitle')}
          text={t('stopText', { count: results.length })}
          action={t('stop', { count: 1 })}
          isPending={stop.isPending}
          error={stop.error}
          onConfirm={() => stop.mutateAsync({ platforms: results.map(({ id }) => id) })}
          onClose={() => setIsAsking(false)}
        />
      )}
    </AccountGroup>
  );
}
