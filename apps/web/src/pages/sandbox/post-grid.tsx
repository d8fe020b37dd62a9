/** The posts as phones, newest first. At most one video plays. */
import { Button, Loader, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { type SandboxFilter, sandboxPostsQuery } from '../../queries/sandbox.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { RelayPicture } from '../../ui/relay-picture.tsx';
import { PhoneFrame } from './phone-frame.tsx';
import classes from './sandbox.module.css';

export function PostGrid({ filter }: { filter: SandboxFilter }) {
  const t = useTranslations('sandbox');
  const posts = useInfiniteQuery(sandboxPostsQuery(useClient(), filter));
  const [playing, setPlaying] = useState<string | null>(null);
  const rows = posts.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Stack>
      <Failure error={posts.error} />
      {posts.isPending && <Loader aria-label={t('list')} />}
      {posts.data && rows.length === 0 && (
        <EmptyState
          image={<RelayPicture name="phones" />}
          title={t('empty')}
          action={
            <Button component={Link} to="/accounts" variant="default">
              {t('connect')}
            </Button>
          }
        >
          {t('emptyHint')}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <ul className={classes.grid} aria-label={t('list')}>
          {rows.map((post) => (
            <li key={post.key}>
              <PhoneFrame post={post} isPlaying={playing === post.key} onPlay={() => setPlaying(post.key)} />
            </li>
          ))}
        </ul>
      )}
      {posts.hasNextPage && (
        <Button variant="default" loading={posts.isFetchingNextPage} onClick={() => void posts.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}
