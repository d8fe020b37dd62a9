/** Every item that a rule saw, and what happened to it. */
import { Anchor, Badge, Button, Drawer, Group, Loader, Stack, Text } from '@mantine/core';
import type { Rule, RuleActivity } from '@reelay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { activityQuery, useRepostItem } from '../../service/rules.ts';
import { useClient } from '../../service/service-client.ts';
import { Failure } from '../../ui/failure.tsx';

const COLORS = { reposted: 'green', waiting: 'yellow', skipped: 'gray' } as const;

export function ActivityDrawer({ rule, onClose }: { rule: Rule; onClose(): void }) {
  const t = useTranslations('reposts');
  const activity = useInfiniteQuery({ ...activityQuery(useClient(), rule.id), refetchInterval: 5_000 });
  const repost = useRepostItem(rule.id);
  const items = activity.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title={t('activity')}>
      <Stack>
        {activity.isPending && <Loader aria-label={t('activity')} />}
        <Failure error={activity.error ?? repost.error} />
        {activity.data && items.length === 0 && <Text>{t('activityEmpty')}</Text>}
        <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {items.map((item) => (
            <li key={item.id}>
              <Item item={item} isPending={repost.isPending} onRepost={() => repost.mutate(item.id)} />
            </li>
          ))}
        </Stack>
        {activity.hasNextPage && (
          <Button variant="default" loading={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
            {t('more')}
          </Button>
        )}
      </Stack>
    </Drawer>
  );
}

function Item({ item, isPending, onRepost }: { item: RuleActivity; isPending: boolean; onRepost(): void }) {
  const t = useTranslations('reposts');
  const format = useFormatter();
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge color={COLORS[item.status]} variant="light">
          {t(`item.${item.status}`)}
        </Badge>
        <Text size="sm" c="dimmed">
          {format.dateTime(new Date(item.seenAt), { dateStyle: 'medium', timeStyle: 'short' })}
        </Text>
      </Group>
      <Text fw={500} lineClamp={2} dir="auto">
        {item.caption || t('noCaption')}
      </Text>
      <Text size="sm">{item.text}</Text>
      <Group gap="sm">
        {item.url && (
          <Anchor size="sm" href={item.url} target="_blank" rel="noreferrer">
            {t('source')}
          </Anchor>
        )}
        {item.repostable && (
          <Button size="compact-sm" variant="default" loading={isPending} onClick={onRepost}>
            {t('repost')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
