/** A post on one account. */
import { Anchor, Box, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import type { PostResult } from '@reelay/sdk';
import { useId, useState } from 'react';
import { useFormatter, useNow, useTranslations } from 'use-intl';
import { AccountAvatar } from '../../ui/account-avatar.tsx';
import { accountName } from '../../ui/account-name.tsx';
import { IconExternalLink } from '../../ui/icons/index.ts';
import { platformName } from '../../ui/platform-icon.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { lookOf } from '../../ui/target-look.ts';
import { isRunning, progressOf, type Target } from './progress.ts';
import { TargetTimeline } from './target-timeline.tsx';

interface TargetCardProps {
  result: PostResult;
  target: Target | undefined;
  isScheduled: boolean;
}

export function TargetCard({ result, target, isScheduled }: TargetCardProps) {
  const t = useTranslations('post');
  const timelineId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const look = lookOf(result, isScheduled);
  const name = accountName(result);
  return (
    <Paper withBorder p="md" component="article" aria-label={`${platformName(result.platform)}: ${name}`}>
      <Stack gap="sm">
        <Group wrap="nowrap">
          <AccountAvatar platform={result.platform} image={result.usernameImage} name={name} />
          <Stack gap={0} flex={1} miw={0}>
            <Text fw={600} truncate translate="no">
              {name}
            </Text>
            <Group gap="xs" justify="space-between" wrap="nowrap">
              <Text size="sm" c="dimmed" truncate>
                {platformName(result.platform)}
                {name !== result.username && <span translate="no"> · {result.username}</span>}
              </Text>
              <StatusBadge look={look} />
            </Group>
          </Stack>
        </Group>
        {look === 'RETRYING' ? (
          <TargetTrouble result={result} />
        ) : (
          target && <TargetProgressBar target={target} isScheduled={isScheduled} />
        )}
        {result.detail && <Text size="sm">{result.detail}</Text>}
        {target?.caption !== undefined && (
          <Text size="sm" c="dimmed" lineClamp={3} dir="auto" translate="no">
            {t('ownCaption', { caption: target.caption })}
          </Text>
        )}
        {target?.warning && <Text size="sm">⚠ {target.warning}</Text>}
        <div>
          <Group justify="space-between">
            {result.url ? (
              <Anchor href={result.url} target="_blank" rel="noreferrer" size="sm">
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
                aria-controls={timelineId}
                onClick={() => setIsOpen(!isOpen)}
              >
                {isOpen ? t('hideTimeline') : t('showTimeline')}
              </Anchor>
            )}
          </Group>
          <div id={timelineId}>
            {isOpen && target && (
              <Box pt="sm">
                <TargetTimeline timeline={target.timeline} />
              </Box>
            )}
          </div>
        </div>
      </Stack>
    </Paper>
  );
}

/** How often the distance to the next try is updated, in ms. */
const DISTANCE_EVERY_MS = 10_000;

/** Why the post is tried again, since when, and when the next try is. */
function TargetTrouble({ result: { trouble, nextAttemptAt } }: { result: PostResult }) {
  const t = useTranslations('post');
  const format = useFormatter();
  const now = useNow({ updateInterval: DISTANCE_EVERY_MS });
  if (!trouble) return null;
  const next = nextAttemptAt ? new Date(nextAttemptAt) : null;
  return (
    <Stack gap={4}>
      <Text size="sm">{trouble.text}</Text>
      {next && (
        <Text size="sm">
          {next > now
            ? t('nextTry', {
                at: format.dateTime(next, { timeStyle: 'short' }),
                distance: format.relativeTime(next, now),
              })
            : t('tryingNow')}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t('tries', {
          count: trouble.attempts,
          since: format.dateTime(new Date(trouble.since), { dateStyle: 'short', timeStyle: 'short' }),
        })}
      </Text>
    </Stack>
  );
}

/** The time of the next attempt is not shown if it is nearer than this, in ms. */
const SOON_MS = 30_000;

function TargetProgressBar({ target, isScheduled }: { target: Target; isScheduled: boolean }) {
  const t = useTranslations('post');
  const format = useFormatter();
  const progress = progressOf(target, isScheduled);
  if (!progress || progress.stage === 'scheduled') return null;
  const { stage, percent } = progress;
  const text = percent === null ? t(`stage.${stage}`) : t('stageWithPercent', { stage: t(`stage.${stage}`), percent });
  const next = target.nextAttemptAt ? new Date(target.nextAttemptAt) : null;
  const isFar = next !== null && next.getTime() - Date.now() > SOON_MS;
  const isActive = isRunning(stage);
  return (
    <Stack gap={4}>
      <Progress
        value={percent ?? (isActive ? 100 : 0)}
        animated={percent === null && isActive}
        striped={percent === null && isActive}
        aria-label={text}
      />
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      {isFar && (
        <Text size="sm" c="dimmed">
          {t(isScheduled ? 'postsAt' : 'nextAttempt', {
            at: format.dateTime(next, { dateStyle: 'medium', timeStyle: 'short' }),
          })}
        </Text>
      )}
    </Stack>
  );
}
