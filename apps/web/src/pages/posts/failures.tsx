/** Failed accounts by cause, with advice and a button to retry. */
import { Alert, Anchor, Button, Group, List, Stack, Text } from '@mantine/core';
import type { Post, PostResult } from '@reelay/sdk';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useRetryPost } from '../../queries/posts.ts';
import { accountName } from '../../ui/account-name.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { IconAlertTriangle, IconQuestionMark, IconRefresh } from '../../ui/icons/index.ts';
import { platformName } from '../../ui/platform-icon.tsx';
import { AccountGroup } from './account-group.tsx';
import { type FailedGroup, groupFailures, isResolvedAtAccounts, isResolvedByReconnecting } from './causes.ts';
import { ReconnectButton } from './reconnect-button.tsx';

export function Failures({ post }: { post: Post }) {
  const t = useTranslations('post');
  const retry = useRetryPost(post.id);
  const groups = groupFailures(post.result);
  // The user must check on the platform whether an unknown outcome was posted, because a retry could post twice.
  const retryable = groups.filter(({ cause }) => cause !== 'outcome_unknown').flatMap(({ results }) => results);
  if (groups.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label={t('failures')}>
      {groups.map((group) =>
        group.cause === 'outcome_unknown' ? (
          <UnknownGroup key={group.cause} group={group} post={post} />
        ) : (
          <FailedAccounts key={group.cause} group={group} post={post} />
        ),
      )}
      {groups.filter(({ cause }) => cause !== 'outcome_unknown').length > 1 && (
        <Group>
          <Button
            // Retrying before an account is reconnected only fails again.
            variant={groups.some(({ cause }) => isResolvedByReconnecting(cause)) ? 'default' : 'filled'}
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={retry.isPending}
            onClick={() => retry.mutate({ platforms: retryable.map(({ id }) => id) })}
          >
            {t('retryAll', { count: retryable.length })}
          </Button>
        </Group>
      )}
      <Failure error={retry.error} />
    </Stack>
  );
}

function FailedAccounts({ group: { cause, results }, post }: { group: FailedGroup; post: Post }) {
  const t = useTranslations('post');
  const retry = useRetryPost(post.id);
  return (
    <AccountGroup
      color={cause === 'stopped' ? 'gray' : 'red'}
      icon={<IconAlertTriangle aria-hidden />}
      title={t(`cause.${cause}.title`)}
      help={t(`cause.${cause}.help`)}
      results={results}
      {...(isResolvedByReconnecting(cause) && {
        actionOf: (result) => (
          <ReconnectButton
            post={post.id}
            result={result}
            isConnectedToo={cause === 'permission_missing'}
            onConnected={() => retry.mutate({ platforms: [result.id] })}
          />
        ),
      })}
    >
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={retry.isPending}
          onClick={() => retry.mutate({ platforms: results.map(({ id }) => id) })}
        >
          {t('retry', { count: results.length })}
        </Button>
        {isResolvedAtAccounts(cause) && (
          <Anchor component={Link} to="/accounts" size="sm" c="var(--mantine-color-text)" underline="always">
            {t('toAccounts')}
          </Anchor>
        )}
      </Group>
      <Failure error={retry.error} />
    </AccountGroup>
  );
}

function UnknownGroup({ group: { results }, post }: { group: FailedGroup; post: Post }) {
  const t = useTranslations('post');
  return (
    <Alert color="orange" icon={<IconQuestionMark aria-hidden />} title={t('cause.outcome_unknown.title')}>
      <Stack gap="xs">
        <Text size="sm">{t('cause.outcome_unknown.help')}</Text>
        <List size="sm" spacing="xs">
          {results.map((result) => (
            <List.Item key={result.id}>
              <UnknownAccount result={result} post={post} />
            </List.Item>
          ))}
        </List>
        <Text size="sm">{t('lookResult')}</Text>
      </Stack>
    </Alert>
  );
}

/** Each account is retried separately, because the video may be on one of them and not on another. */
function UnknownAccount({ result, post }: { result: PostResult; post: Post }) {
  const t = useTranslations('post');
  const format = useFormatter();
  const retry = useRetryPost(post.id);
  const [isAsking, setIsAsking] = useState(false);
  const { id, platform } = result;
  const name = { platform: platformName(platform), account: accountName(result) };
  const timeline = post.targets.find(({ platformId }) => platformId === id)?.timeline ?? [];
  /** The time of the request whose outcome is unknown. */
  const sentAt = new Date(timeline.findLast(({ event }) => event === 'committing')?.at ?? post.date);
  return (
    <Group gap="xs">
      <Text size="sm">
        {t('lookFor', { ...name, at: format.dateTime(sentAt, { dateStyle: 'medium', timeStyle: 'short' }) })}
      </Text>
      <Button size="compact-xs" variant="default" aria-label={t('postAgainOn', name)} onClick={() => setIsAsking(true)}>
        {t('postAgain')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('postAgainTitle', name)}
          text={t('postAgainText')}
          action={t('postAgain')}
          isPending={retry.isPending}
          error={retry.error}
          onConfirm={() => retry.mutateAsync({ platforms: [id], acceptDuplicate: true })}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Group>
  );
}
