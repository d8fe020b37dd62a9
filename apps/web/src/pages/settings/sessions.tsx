/** The user's sessions. */
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { UserSession } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { sessionsQuery, useEndOtherSessions, useEndSession } from '../../queries/user.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from './section.tsx';

export function Sessions() {
  const t = useTranslations('settings');
  const { data: sessions } = useSuspenseQuery(sessionsQuery(useClient()));
  const end = useEndSession();
  const endOthers = useEndOtherSessions();
  return (
    <Section id="sessions" title={t('sessions')} hint={t('sessionsHint')}>
      {sessions.map((session) => (
        <Session
          key={session.id}
          session={session}
          isEnding={end.isPending && end.variables === session.id}
          onEnd={() => end.mutate(session.id)}
        />
      ))}
      <Failure error={end.error ?? endOthers.error} />
      {sessions.length > 1 && (
        <Group>
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate(undefined)}>
            {t('endOthers')}
          </Button>
        </Group>
      )}
    </Section>
  );
}

function Session({ session, isEnding, onEnd }: { session: UserSession; isEnding: boolean; onEnd(): void }) {
  const t = useTranslations('settings');
  const format = useFormatter();
  const { current, device, address, lastUsedAt } = session;
  const name = [device.browser, device.system].filter(Boolean).join(', ') || t('unknownDevice');
  const at = format.dateTime(new Date(lastUsedAt), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Group justify="space-between" component="article" aria-label={name}>
      <Stack gap={0} miw={0}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {current && <Badge variant="light">{t('thisSession')}</Badge>}
        </Group>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[address, t('lastUsed', { at })].filter(Boolean).join(' · ')}
        </Text>
      </Stack>
      {!current && (
        <Button size="xs" variant="subtle" color="red" loading={isEnding} onClick={onEnd}>
          {t('endSession')}
        </Button>
      )}
    </Group>
  );
}
