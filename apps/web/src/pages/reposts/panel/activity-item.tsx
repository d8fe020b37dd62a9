import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { RuleActivity } from '@reelay/sdk';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { useRepostItem } from '../../../queries/rules.ts';
import { Failure } from '../../../ui/failure.tsx';
import { IconCheck, IconClock, IconPlayerSkipForward } from '../../../ui/icons/index.ts';

const LOOKS = {
  reposted: { color: 'green', Icon: IconCheck },
  waiting: { color: 'yellow', Icon: IconClock },
  skipped: { color: 'gray', Icon: IconPlayerSkipForward },
} as const;

/** An item of the activity, with its reason. Skipped items can be reposted manually. */
export function ActivityItem({ ruleId, item }: { ruleId: string; item: RuleActivity }) {
  const t = useTranslations('reposts');
  const format = useFormatter();
  const repost = useRepostItem(ruleId);
  const { color, Icon } = LOOKS[item.status];
  const caption = item.caption || t('noCaption');
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge color={color} variant="light" leftSection={<Icon size={12} aria-hidden />}>
          {t(`item.${item.status}`)}
        </Badge>
        <Text size="sm" c="dimmed">
          {format.dateTime(new Date(item.publishedAt ?? item.seenAt), { dateStyle: 'medium', timeStyle: 'short' })}
        </Text>
      </Group>
      <Text fw={500} lineClamp={2} dir="auto" translate="no">
        {caption}
      </Text>
      <Text size="sm">{item.text}</Text>
      <Group gap="sm">
        {item.url && (
          <Anchor size="sm" href={item.url} target="_blank" rel="noreferrer">
            {t('source')}
          </Anchor>
        )}
        {item.postId && (
          <Anchor size="sm" component={Link} to={`/posts/${item.postId}`}>
            {t('post')}
          </Anchor>
        )}
        {item.repostable && (
          <Button
            size="compact-sm"
            variant="default"
            loading={repost.isPending}
            aria-label={t('repostNow', { caption: [...caption].slice(0, 80).join('') })}
            onClick={() => repost.mutate(item.id)}
          >
            {t('repost')}
          </Button>
        )}
      </Group>
      <Failure error={repost.error} />
    </Stack>
  );
}
