/** The result of an attempt to connect an account, shown when the user returns from the platform's pages. */
import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useConnect } from '../../queries/accounts.ts';
import { attemptQuery, attemptState, loadAttempt, type StartedAttempt, storeAttempt } from '../../queries/attempt.ts';
import { useClient } from '../../queries/client.ts';
import { accountKeys } from '../../queries/keys.ts';
import { useRetryPost } from '../../queries/posts.ts';
import { Failure } from '../../ui/failure.tsx';
import { IconAlertCircle, IconCircleCheck, IconClock, IconHandStop } from '../../ui/icons/index.ts';
import { platformName } from '../../ui/platform-icon.tsx';

const LOOKS = {
  waiting: { color: 'blue', Icon: IconClock },
  connected: { color: 'green', Icon: IconCircleCheck },
  denied: { color: 'orange', Icon: IconHandStop },
  expired: { color: 'orange', Icon: IconClock },
  failed: { color: 'red', Icon: IconAlertCircle },
} as const;

export function AttemptNotice() {
  const [attempt, setAttempt] = useState(loadAttempt);
  // The browser may restore the previous page from its back/forward cache.
  useEffect(() => {
    const read = () => setAttempt(loadAttempt());
    window.addEventListener('pageshow', read);
    return () => window.removeEventListener('pageshow', read);
  }, []);
  const dismiss = () => {
    storeAttempt(null);
    setAttempt(null);
  };
  return attempt && <Notice key={attempt.id} attempt={attempt} onDismiss={dismiss} />;
}

function Notice({ attempt, onDismiss }: { attempt: StartedAttempt; onDismiss(): void }) {
  const { id, request, retryPost } = attempt;
  const t = useTranslations('accounts');
  const queries = useQueryClient();
  const { data, error } = useQuery(attemptQuery(useClient(), id));
  const again = useConnect(retryPost);
  const [state, text] = data ? attemptState(data, Date.now()) : [];
  useEffect(() => {
    if (state === 'connected') void queries.invalidateQueries({ queryKey: accountKeys.all });
  }, [state, queries]);
  // The service does not know attempts of other users, or old ones.
  if (error || !state) return null;
  const { color, Icon } = LOOKS[state];
  const platform = platformName(request.platform);
  const dismissible = { withCloseButton: true, onClose: onDismiss, closeButtonLabel: t('attempt.dismiss') };
  return (
    <Alert
      color={color}
      icon={<Icon aria-hidden />}
      title={t(`attempt.${state}`, { platform })}
      role="status"
      {...dismissible}
    >
      <Stack gap="sm" align="flex-start">
        {state === 'connected' && retryPost && request.account && (
          <RetriedPost attempt={attempt} post={retryPost} account={request.account} />
        )}
        {state !== 'connected' && <Text size="sm">{t(`attemptHint.${state}`, { platform })}</Text>}
        {text && state !== 'denied' && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        )}
        <Failure error={again.error} />
        {state !== 'connected' && (
          <Group>
            <Button size="xs" loading={again.isPending} onClick={() => again.mutate(request)}>
              {t('attempt.again')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Retries the post for which the account was reconnected, once: a page that is loaded again does not repeat it. */
function RetriedPost({ attempt, post, account }: { attempt: StartedAttempt; post: string; account: string }) {
  const t = useTranslations('accounts');
  const retry = useRetryPost(post);
  const { mutate } = retry;
  useEffect(() => {
    if (loadAttempt()?.retryPost !== post) return;
    const { retryPost: _, ...rest } = attempt;
    storeAttempt(rest);
    mutate({ platforms: [account] });
  }, [attempt, post, account, mutate]);
  return (
    <>
      <Failure error={retry.error} />
      {retry.isSuccess && <Text size="sm">{t('attempt.retried')}</Text>}
      <Anchor component={Link} to={`/posts/${post}` as '/posts/$id'} size="sm" c="var(--mantine-color-text)">
        {t('attempt.toPost')}
      </Anchor>
    </>
  );
}
