/** A post of the list, with its reposts on request. */
import { Button, Stack } from '@mantine/core';
import { useId } from 'react';
import { useTranslations } from 'use-intl';
import type { PostRow } from '../../ui/fold-reposts.ts';
import { IconChevronDown, IconChevronUp } from '../../ui/icons/index.ts';
import { PostEntry } from './post-entry.tsx';
import classes from './posts.module.css';

interface FoldedPostProps {
  row: PostRow;
  isOpen: boolean;
  onToggle(id: string): void;
}

export function FoldedPost({ row: { entry, reposts }, isOpen, onToggle }: FoldedPostProps) {
  const t = useTranslations('posts');
  const listId = useId();
  if (reposts.length === 0) return <PostEntry entry={entry} />;
  const Icon = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <>
      <PostEntry entry={entry}>
        <Button
          size="compact-sm"
          variant="default"
          className={classes.unfold}
          rightSection={<Icon size={14} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => onToggle(entry.id)}
        >
          {t('reposts', { count: reposts.length })}
        </Button>
      </PostEntry>
      <Stack
        component="ul"
        id={listId}
        gap="xs"
        className={classes.reposts}
        hidden={!isOpen}
        aria-label={t('repostsOf')}
      >
        {isOpen &&
          reposts.map((repost) => (
            <li key={repost.id}>
              <PostEntry entry={repost} />
            </li>
          ))}
      </Stack>
    </>
  );
}
