import { Badge, Group, Paper, Stack, Text } from '@mantine/core';
import type { FoundPost, PostResult } from '@reelay/sdk';
import { Link } from '@tanstack/react-router';
import { memo, type ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { accountName } from '../../ui/account-name.tsx';
import { PlatformIcon, platformName } from '../../ui/platform-icon.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { lookOf, type TargetLook } from '../../ui/target-look.ts';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import classes from './posts.module.css';

const ORDER: readonly TargetLook[] = ['FAILED', 'UNKNOWN', 'RETRYING', 'PENDING', 'SCHEDULED', 'SUCCESS'];

interface PostEntryProps {
  entry: FoundPost;
  /** What shows its reposts, if there are any. */
  children?: ReactNode;
}

/** One post of the history. Problems are shown first. */
export const PostEntry = memo(function PostEntry({ entry, children }: PostEntryProps) {
  const t = useTranslations('posts');
  const format = useFormatter();
  const { id, description, filename, date, result, scheduled } = entry;
  const isScheduled = scheduled && new Date(date).getTime() > Date.now();
  const byLook = Map.groupBy(result, (target) => lookOf(target, isScheduled));
  return (
    <Paper withBorder p="sm" className={classes.entry}>
      <Group wrap="nowrap" align="flex-start">
        <Thumbnail filename={filename} width={54} />
        <Stack gap={6} miw={0} flex={1}>
          <Text
            component={Link}
            to={`/posts/${id}` as '/posts/$id'}
            fw={600}
            lineClamp={1}
            dir="auto"
            translate="no"
            className={classes.link}
          >
            {description || t('noDescription')}
          </Text>
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              <time dateTime={date}>
                {format.dateTime(new Date(date), { dateStyle: 'medium', timeStyle: 'short' })}
              </time>
            </Text>
            {entry.repostOf && (
              <Badge variant="outline" color="gray" size="sm">
                {t('repost')}
              </Badge>
            )}
            {children}
          </Group>
          <Group gap="xs">
            {ORDER.map((look) => {
              const targets = byLook.get(look);
              return targets && <Targets key={look} look={look} targets={targets} />;
            })}
          </Group>
        </Stack>
      </Group>
    </Paper>
  );
});

function Targets({ look, targets }: { look: TargetLook; targets: readonly PostResult[] }) {
  return (
    <Group gap={4}>
      <StatusBadge look={look} count={targets.length} />
      {targets.map(({ platform, ...target }) => (
        <span key={target.id} title={`${platformName(platform)}: ${accountName(target)}`} className={classes.platform}>
          <PlatformIcon platform={platform} size={16} />
          <span className={classes.hidden}>{platformName(platform)}</span>
        </span>
      ))}
    </Group>
  );
}
