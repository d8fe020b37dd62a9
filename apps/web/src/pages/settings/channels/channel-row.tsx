import { Badge, Button, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import type { NotificationChannel, NotificationChannelKind } from '@reelay/sdk';
import { useFormatter, useTranslations } from 'use-intl';
import { useTestChannel } from '../../../queries/channels.ts';
import { Failure } from '../../../ui/failure.tsx';
import {
  type Icon,
  IconBell,
  IconBrandDiscord,
  IconBrandSlack,
  IconBrandTelegram,
  IconDeviceMobile,
} from '../../../ui/icons/index.ts';

const ICONS: Readonly<Record<NotificationChannelKind, Icon>> = {
  push: IconDeviceMobile,
  ntfy: IconBell,
  discord: IconBrandDiscord,
  slack: IconBrandSlack,
  telegram: IconBrandTelegram,
};

interface ChannelRowProps {
  channel: NotificationChannel;
  /** Whether it is this browser. */
  isHere: boolean;
  onRemove(): void;
}

/** A device or chat: what it is, and whether the last message arrived. */
export function ChannelRow({ channel, isHere, onRemove }: ChannelRowProps) {
  const t = useTranslations('notifications.channels');
  const test = useTestChannel();
  const { id, kind, name, host, stopped, failure } = channel;
  const ChannelIcon = ICONS[kind];
  return (
    <Stack gap="xs" component="article" aria-label={name}>
      <Group justify="space-between" gap="xs">
        <Group wrap="nowrap" miw={0} gap="sm" flex="1 1 14rem">
          <ThemeIcon variant="light" color={failure ? 'red' : 'gray'} size="lg">
            <ChannelIcon size={20} aria-hidden />
          </ThemeIcon>
          <Stack gap={0} miw={0}>
            <Group gap="xs">
              <Text fw={600} translate="no" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Text>
              {isHere && <Badge variant="light">{t('thisDevice')}</Badge>}
              {stopped && (
                <Badge color="red" variant="light">
                  {t('stopped')}
                </Badge>
              )}
            </Group>
            <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {`${t(`kind.${kind}`)} · ${host} · `}
              <LastSent channel={channel} />
            </Text>
            {failure && (
              <Text size="sm" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
                {failure.detail}
              </Text>
            )}
            {test.isSuccess && !failure && (
              <Text size="sm" role="status">
                {t('tested')}
              </Text>
            )}
          </Stack>
        </Group>
        <Group gap="xs">
          <Button size="xs" variant="subtle" loading={test.isPending} onClick={() => test.mutate(id)}>
            {t('test')}
          </Button>
          <Button size="xs" variant="subtle" color="red" onClick={onRemove}>
            {t('remove')}
          </Button>
        </Group>
      </Group>
      <Failure error={test.error} />
    </Stack>
  );
}

function LastSent({ channel: { lastSentAt } }: { channel: NotificationChannel }) {
  const t = useTranslations('notifications.channels');
  const format = useFormatter();
  if (!lastSentAt) return t('neverSent');
  return t('lastSent', { at: format.dateTime(new Date(lastSentAt), { dateStyle: 'medium', timeStyle: 'short' }) });
}
