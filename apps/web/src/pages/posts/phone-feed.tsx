/** The post as a row of phones, one for each account. A phone lights up when its post is published. */
import { Box, Text } from '@mantine/core';
import type { Post, PostResult } from '@reelay/sdk';
import { accountName } from '../../ui/account-name.tsx';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import { colorOf, StatusIcon } from '../../ui/status-badge.tsx';
import { lookOf } from '../../ui/target-look.ts';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import classes from './phone-feed.module.css';
import { progressOf, type Target } from './progress.ts';

/** Width of a screen, in px. Twelve small phones fit in one row. */
const WIDTH = { few: 108, many: 72 } as const;
const MAX_FEW = 4;

/** Decorative: the account cards contain the same information as text. */
export function PhoneFeed({ post, isScheduled }: { post: Post; isScheduled: boolean }) {
  const width = post.result.length > MAX_FEW ? WIDTH.many : WIDTH.few;
  return (
    <div className={classes.feed} aria-hidden>
      {post.result.map((result) => (
        <Phone
          key={result.id}
          result={result}
          target={post.targets.find(({ platformId }) => platformId === result.id)}
          filename={post.filename}
          width={width}
          isScheduled={isScheduled}
        />
      ))}
    </div>
  );
}

interface PhoneProps {
  result: PostResult;
  target: Target | undefined;
  filename: string;
  width: number;
  isScheduled: boolean;
}

function Phone({ result, target, filename, width, isScheduled }: PhoneProps) {
  const look = lookOf(result, isScheduled);
  const progress = target && progressOf(target, isScheduled);
  return (
    <Box
      className={classes.phone}
      data-look={look}
      __vars={{ '--phone-state': `var(--mantine-color-${colorOf(look)}-filled)` }}
    >
      <div className={classes.screen}>
        <Thumbnail filename={filename} width={width} />
      </div>
      <span key={look} className={classes.state}>
        <StatusIcon look={look} size={16} />
      </span>
      <div className={classes.name} style={{ maxWidth: width }}>
        <PlatformIcon platform={result.platform} size={18} />
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
