/** The history, newest first. */
import { Badge, Button, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import type { HistoryEntry } from '@reelay/sdk';
import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { historyQuery } from '../../service/posts.ts';
import { useClient } from '../../service/service-client.ts';
import { PlatformIcon, platformName } from '../../ui/platform-icon.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import classes from './posts.module.css';

export function PostsPage() {
  const t = useTranslations('posts');
  const history = useSuspenseInfiniteQuery({ ...historyQuery(useClient()), refetchInterval: 5_000 });
  const entries = history.data.pages.flatMap(({ data }) => data);
  const total = history.data.pages[0]?.total ?? 0;
  return (
    <Stack maw={900}>
      <Title order={1} size="h2">
        {t('title')}
      </Title>
      {entries.length === 0 ? (
        <Stack align="flex-start">
          <Text>{t('empty')}</Text>
          <Button component={Link} to="/">
            {t('first')}
          </Button>
        </Stack>
      ) : (
        <Text c="dimmed">{t('count', { count: total })}</Text>
      )}
      <Stack component="ul" gap="sm" p={0} m={0} className={classes.list}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <Entry entry={entry} />
          </li>
        ))}
      </Stack>
      {history.hasNextPage && (
        <Button variant="default" loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const t = useTranslations('posts');
  const format = useFormatter();
  const { id, description, filename, date, result, scheduled } = entry;
  const isFuture = new Date(date).getTime() > Date.now();
  return (
    <Paper withBorder p="sm" className={classes.entry}>
      <Group wrap="nowrap" align="flex-start">
        <Image src={`/api/v1/media/${filename}`} alt="" w={54} h={96} radius="sm" fit="cover" loading="lazy" />
        <Stack gap={6} miw={0} flex={1}>
          <Text
            component={Link}
            to={`/posts/${id}` as '/posts/$id'}
            fw={600}
            lineClamp={2}
            dir="auto"
            className={classes.link}
          >
            {description || t('noDescription')}
          </Text>
          <Text size="sm" c="dimmed">
            <time dateTime={date}>{format.dateTime(new Date(date), { dateStyle: 'medium', timeStyle: 'short' })}</time>
          </Text>
          <Group gap={6}>
            {result.map((target) => (
              <Group
                key={target.id}
                gap={4}
                wrap="nowrap"
                title={`${platformName(target.platform)}: ${target.username}`}
              >
                <PlatformIcon platform={target.platform} size={18} />
                <span className={classes.hidden}>{platformName(target.platform)}</span>
                <StatusBadge status={target.status} isScheduled={scheduled && isFuture} />
              </Group>
            ))}
          </Group>
          {entry.repostOf && <Badge variant="outline">{t('repost')}</Badge>}
        </Stack>
      </Group>
    </Paper>
  );
}
