/** One post while it is published, and afterwards. */
import { Anchor, Button, Group, Image, Paper, Progress, SimpleGrid, Stack, Text, Timeline, Title } from '@mantine/core';
import type { Post, PostResult } from '@reelay/sdk';
import { IconExternalLink, IconRefresh, IconX } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { isPending, postQuery, useCancelPost, useRetryPost } from '../../service/posts.ts';
import { useClient } from '../../service/service-client.ts';
import { AccountAvatar } from '../../ui/account-avatar.tsx';
import { Failure } from '../../ui/failure.tsx';
import { platformName } from '../../ui/platform-icon.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';

type Target = Post['targets'][number];

export function PostPage() {
  const t = useTranslations('post');
  const format = useFormatter();
  const { id } = useParams({ from: '/signed-in/posts/$id' });
  const { data: post } = useSuspenseQuery(postQuery(useClient(), id));
  const count = (status: PostResult['status']) => post.result.filter((each) => each.status === status).length;
  const counts = { total: post.result.length, posted: count('SUCCESS'), failed: count('FAILED') };
  const date = format.dateTime(new Date(post.date), { dateStyle: 'full', timeStyle: 'short' });
  const isFuture = post.scheduled && new Date(post.date).getTime() > Date.now() && isPending(post);
  return (
    <Stack maw={1100}>
      <Group align="flex-start" wrap="nowrap">
        <Image src={`/api/v1/media/${post.filename}`} alt="" w={108} h={192} radius="md" fit="cover" />
        <Stack gap="xs" miw={0}>
          <Title order={1} size="h2">
            {isFuture ? t('scheduled') : isPending(post) ? t('posting') : t('done', counts)}
          </Title>
          <Text c="dimmed">{date}</Text>
          <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {post.description}
          </Text>
          <Text aria-live="polite">{t('counts', counts)}</Text>
          <Actions post={post} isFuture={isFuture} />
        </Stack>
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {post.result.map((result) => (
          <TargetCard
            key={result.id}
            result={result}
            target={post.targets.find(({ platformId }) => platformId === result.id)}
            isFuture={isFuture}
          />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

function Actions({ post, isFuture }: { post: Post; isFuture: boolean }) {
  const t = useTranslations('post');
  const retry = useRetryPost(post.id);
  const cancel = useCancelPost(post.id);
  const navigate = useNavigate();
  // Whether an unknown outcome was posted is for the user to look up: retrying it could post twice.
  const failed = post.result.filter(({ status, message }) => status === 'FAILED' && message !== 'outcome_unknown');
  const stop = async () => {
    await cancel.mutateAsync();
    await navigate({ to: '/posts' });
  };
  return (
    <Stack gap="xs">
      <Group>
        {failed.length > 0 && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={retry.isPending}
            onClick={() => retry.mutate(failed.map(({ id }) => id))}
          >
            {t('retry', { count: failed.length })}
          </Button>
        )}
        {isFuture && (
          <Button
            color="red"
            variant="light"
            leftSection={<IconX size={16} aria-hidden />}
            loading={cancel.isPending}
            onClick={() => void stop().catch(() => {})}
          >
            {t('cancel')}
          </Button>
        )}
        <Button component={Link} to="/posts" variant="subtle">
          {t('all')}
        </Button>
      </Group>
      <Failure error={retry.error ?? cancel.error} />
    </Stack>
  );
}

function TargetCard({
  result,
  target,
  isFuture,
}: {
  result: PostResult;
  target: Target | undefined;
  isFuture: boolean;
}) {
  const t = useTranslations('post');
  const [isOpen, setIsOpen] = useState(false);
  const progress = target?.rendition?.progress;
  return (
    <Paper withBorder p="md" component="article" aria-label={`${platformName(result.platform)}: ${result.username}`}>
      <Stack gap="sm">
        <Group wrap="nowrap">
          <AccountAvatar platform={result.platform} image={result.usernameImage} name={result.username} />
          <Stack gap={0} flex={1} miw={0}>
            <Text fw={600} truncate>
              {result.username}
            </Text>
            <Text size="sm" c="dimmed">
              {platformName(result.platform)}
            </Text>
          </Stack>
          <StatusBadge status={result.status} isScheduled={isFuture} />
        </Group>
        {progress !== undefined && result.status === 'PENDING' && (
          <Progress value={progress * 100} aria-label={t('converting')} />
        )}
        {result.detail && <Text size="sm">{result.detail}</Text>}
        {target?.warning && (
          <Text size="sm" c="orange">
            {target.warning}
          </Text>
        )}
        <Group justify="space-between">
          {result.url ? (
            <Anchor href={result.url} target="_blank" rel="noreferrer">
              {t('open')} <IconExternalLink size={14} aria-hidden />
            </Anchor>
          ) : (
            <span />
          )}
          {target && target.timeline.length > 0 && (
            <Anchor
              component="button"
              type="button"
              size="sm"
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? t('hideTimeline') : t('showTimeline')}
            </Anchor>
          )}
        </Group>
        {isOpen && target && <History target={target} />}
      </Stack>
    </Paper>
  );
}

function History({ target }: { target: Target }) {
  const format = useFormatter();
  return (
    <Timeline bulletSize={12} lineWidth={2} active={target.timeline.length}>
      {target.timeline.map(({ at, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries are only appended
        <Timeline.Item key={index}>
          <Text size="sm">{text}</Text>
          <Text size="xs" c="dimmed">
            <time dateTime={at}>{format.dateTime(new Date(at), { dateStyle: 'short', timeStyle: 'medium' })}</time>
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
