/**
 * The post as a row of phones, one for each account. A light runs around a phone while its post is sent, and the phone
 * lights up when it is published.
 */
import { Box, Text } from '@mantine/core';
import type { Post, PostResult } from '@reelay/sdk';
import { accountName } from '../../ui/account-name.tsx';
import { PlatformDisc } from '../../ui/platform-disc.tsx';
import { colorOf, StatusIcon } from '../../ui/status-badge.tsx';
import { lookOf } from '../../ui/target-look.ts';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import classes from './phone-feed.module.css';
import { isRunning, progressOf, type Target } from './progress.ts';

/** Width of a screen, in px. Twelve small phones fit in one row. */
const WIDTH = { few: 132, many: 70 } as const;
/** Of both edges of a phone, in px. */
const EDGES = 6;
const MAX_FEW = 4;

/** Decorative: the account cards contain the same information as text. */
export function PhoneFeed({ post, isScheduled }: { post: Post; isScheduled: boolean }) {
  const width = post.result.length > MAX_FEW ? WIDTH.many : WIDTH.few;
  return (
    <Box className={classes.feed} __vars={{ '--phone-width': `${width + EDGES}px` }} aria-hidden>
      {post.result.map((result, index) => (
        <Phone
          key={result.id}
          result={result}
          target={post.targets.find(({ platformId }) => platformId === result.id)}
          filename={post.filename}
          width={width}
          index={index}
          isScheduled={isScheduled}
        />
      ))}
    </Box>
  );
}

interface PhoneProps {
  result: PostResult;
  target: Target | undefined;
  filename: string;
  width: number;
  index: number;
  isScheduled: boolean;
}

/** When a page opens, its phones light up one after the other. In ms. */
const STAGGER_MS = 50;

function Phone({ result, target, filename, width, index, isScheduled }: PhoneProps) {
  const look = lookOf(result, isScheduled);
  const progress = target && progressOf(target, isScheduled);
  return (
    <Box
      className={classes.phone}
      data-look={look}
      data-running={(progress && look !== 'RETRYING' && isRunning(progress.stage)) || undefined}
      __vars={{
        '--phone-state': `var(--mantine-color-${colorOf(look)}-filled)`,
        '--phone-delay': `${index * STAGGER_MS}ms`,
      }}
    >
      <div className={classes.screen}>
        <Thumbnail filename={filename} width={width} />
      </div>
      <span key={look} className={classes.state}>
        <StatusIcon look={look} size={16} />
      </span>
      <div className={classes.name} style={{ maxWidth: width }}>
        <PlatformDisc platform={result.platform} size={24} iconSize={16} />
        {width === WIDTH.few && (
          <Text size="xs" truncate translate="no">
            {accountName(result).replace(/^@/, '')}
          </Text>
        )}
      </div>
      {progress?.percent != null && <span className={classes.progress} style={{ width: `${progress.percent}%` }} />}
    </Box>
  );
}
