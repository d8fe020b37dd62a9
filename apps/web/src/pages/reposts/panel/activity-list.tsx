/** The items that a rule processed, newest first, with their results. */
import { Button, Loader, Stack, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useClient } from '../../../queries/client.ts';
import { activityQuery } from '../../../queries/rules.ts';
import { Failure } from '../../../ui/failure.tsx';
import { ActivityItem } from './activity-item.tsx';

export function ActivityList({ rule }: { rule: Rule }) {
  const t = useTranslations('reposts');
  const activity = useInfiniteQuery({ ...activityQuery(useClient(), rule.id), refetchInterval: 5_000 });
  const items = activity.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Stack>
      {activity.isPending && <Loader aria-label={t('activity')} />}
      <Failure error={activity.error} />
      {activity.data && items.length === 0 && <Text>{t('activityEmpty')}</Text>}
      <Stack component="ul" gap="lg" p={0} m={0} style={{ listStyle: 'none' }}>
        {items.map((item) => (
          <li key={item.id}>
            <ActivityItem ruleId={rule.id} item={item} />
          </li>
        ))}
      </Stack>
      {activity.hasNextPage && (
        <Button variant="default" loading={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}
