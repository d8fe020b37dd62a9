/** The page of one post: progress, results and actions. */
import { Badge, Box, Button, Progress, SimpleGrid, Spoiler, Stack, Text } from '@mantine/core';
import type { Post, PostResult } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useFormatter, useTimeZone, useTranslations } from 'use-intl';
import { usePolling } from '../../live/use-live.ts';
import { useClient } from '../../queries/client.ts';
import { isAhead, isPending, postQuery } from '../../queries/posts.ts';
import { isRefused } from '../../queries/refused.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconTrash } from '../../ui/icons/index.ts';
import { PageTitle } from '../../ui/page-title.tsx';
import { outcomeOf } from './causes.ts';
import { Failures } from './failures.tsx';
import { PhoneFeed } from './phone-feed.tsx';
import { PostActions } from './post-actions.tsx';
import { TargetCard } from './target-card.tsx';
import { Troubles } from './troubles.tsx';

/** How often the post is read while live updates do not arrive, in ms. */
const POLL_MS = 3_000;
/** Height of a folded description, in px. Long texts are folded, because the post's progress is more important. */
const DESCRIPTION_HEIGHT = 150;

export function PostPage() {
  const t = useTranslations('post');
  const { id } = useParams({ from: '/signed-in/posts/$id' });
  const refetchInterval = usePolling(POLL_MS);
  const { data: post, error } = useSuspenseQuery({ ...postQuery(useClient(), id), refetchInterval });
  if (isRefused(error, 'unknown_post'))
    return (
      <EmptyState
        image={IconTrash}
        role="status"
        isPage
        title={t('deleted')}
        action={
          <Button component={Link} to="/posts">
            {t('all')}
          </Button>
        }
      />
    );
  const isScheduled = isAhead(post);
  return (
    <Stack maw={1100}>
      <Overview post={post} isScheduled={isScheduled} />
      <PostActions
        post={post}
        isScheduled={isScheduled}
        posted={post.result.filter(({ status }) => status === 'SUCCESS').length}
      />
      {!isScheduled && <Troubles post={post} />}
      <Failures post={post} />
      {/* An open timeline does not stretch its neighbors. */}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} style={{ alignItems: 'start' }}>
        {post.result.map((result) => (
          <TargetCard
            key={result.id}
            result={result}
            target={post.targets.find(({ platformId }) => platformId === result.id)}
            isScheduled={isScheduled}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function Overview({ post, isScheduled }: { post: Post; isScheduled: boolean }) {
  const t = useTranslations('post');
  const format = useFormatter();
  const zone = useTimeZone() ?? 'UTC';
  const count = (status: PostResult['status']) => post.result.filter((each) => each.status === status).length;
  const unknown = post.result.filter(({ message }) => message === 'outcome_unknown').length;
  const total = post.result.length;
  const retrying = isScheduled ? 0 : post.result.filter(({ trouble }) => trouble).length;
  const counts = { total, posted: count('SUCCESS'), failed: count('FAILED') - unknown, unknown, retrying };
  const share = (part: number) => (part / Math.max(1, total)) * 100;
  const title = isScheduled
    ? t('scheduled')
    : isPending(post)
      ? t('posting', { retrying })
      : t(`outcome.${outcomeOf(counts)}`, counts);
  return (
    <Stack gap="xs">
      <PageTitle>{title}</PageTitle>
      <Text c="dimmed" size="sm">
        <time dateTime={post.date}>
          {format.dateTime(new Date(post.date), { dateStyle: 'full', timeStyle: 'short' })}
        </time>{' '}
        ({zone})
      </Text>
      {post.repostOf && (
        <Badge component={Link} to={`/posts/${post.repostOf}` as '/posts/$id'} variant="outline" color="gray">
          {t('repostOf')}
        </Badge>
      )}
      <Spoiler maxHeight={DESCRIPTION_HEIGHT} showLabel={t('more')} hideLabel={t('less')}>
        <Text dir="auto" translate="no" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {post.description}
        </Text>
      </Spoiler>
      <Progress.Root size="sm" maw={420} aria-hidden>
        <Progress.Section value={share(counts.posted)} color="green" />
        <Progress.Section value={share(unknown)} color="orange" />
        <Progress.Section value={share(counts.failed)} color="red" />
      </Progress.Root>
      <Text aria-live="polite" size="sm">
        {t('counts', counts)}
      </Text>
      <Box mt="xs">
        <PhoneFeed post={post} isScheduled={isScheduled} />
      </Box>
    </Stack>
  );
}
