/** The result of an attempt to connect an account, shown when the user returns from the platform's pages. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useConnect } from '../../queries/accounts.ts';
import { attemptQuery, attemptState, loadAttempt, type StartedAttempt, storeAttempt } from '../../queries/attempt.ts';
import { useClient } from '../../queries/client.ts';
import { accountKeys } from '../../queries/keys.ts';
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

function Notice({ attempt: { id, request }, onDismiss }: { attempt: StartedAttempt; onDismiss(): void }) {
  const t = useTranslations('accounts');
  const queries = useQueryClient();
  const { data, error } = useQuery(attemptQuery(useClient(), id));
  const again = useConnect();
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
