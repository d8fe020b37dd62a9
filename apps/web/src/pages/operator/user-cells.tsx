/** A user's name and usage in the list of users. */
import { Badge, Group, Progress, Stack, Text } from '@mantine/core';
import type { ManagedUser } from '@reelay/sdk';
import { useFormatter, useTranslations } from 'use-intl';
import { usedShare } from './usage.ts';

export function UserName({ user }: { user: ManagedUser }) {
  const t = useTranslations('operator.users');
  const { email, name, operator, suspended, secondFactor } = user;
  return (
    <Stack gap={4} miw={0}>
      <Text fw={600} translate="no" style={{ overflowWrap: 'anywhere' }}>
        {email}
      </Text>
      {name !== email && (
        <Text size="sm" c="dimmed" dir="auto" translate="no" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
      )}
      {(operator || suspended || secondFactor) && (
        <Group gap={6}>
          {operator && <Badge variant="light">{t('operator')}</Badge>}
          {suspended && (
            <Badge variant="light" color="red">
              {t('suspended')}
            </Badge>
          )}
          {secondFactor && (
            <Badge variant="outline" color="gray">
              {t('secondFactor')}
            </Badge>
          )}
        </Group>
      )}
    </Stack>
  );
}

export function UserUsage({ user }: { user: ManagedUser }) {
  const t = useTranslations('operator.users');
  const format = useFormatter();
  return (
    <Stack gap={6} miw={0}>
      {user.limits.map((limit) => {
        const text = t(`limit.${limit.name}`, {
          used: format.number(limit.used),
          value: format.number(limit.value),
        });
        const share = usedShare(limit);
        return (
          <div key={limit.name}>
            <Text size="xs">{text}</Text>
            <Progress size={4} value={share * 100} color={share >= 1 ? 'red' : undefined} aria-label={text} />
          </div>
        );
      })}
    </Stack>
  );
}
