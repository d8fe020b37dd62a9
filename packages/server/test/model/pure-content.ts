/** What the tables in memory say about content, as content-store.ts reads it. */

import { say } from '../../src/messages/rules.ts';
import type { Content } from '../../src/reposts/decide.ts';
import type { Bug, Firing, Post, SourceFile, Watched } from './pure-tables.ts';

/** The length of every video, in ms. */
export const DURATION_MS = 6_000;

interface Tables {
  watched: readonly Watched[];
  posts: readonly Post[];
  files: readonly SourceFile[];
  bugs: ReadonlySet<Bug>;
}

const SHOWN = { durationMs: DURATION_MS, url: null, sourceName: '@source', withoutFile: null };

/** readOwn */
export function ownContent(
  { posts, watched }: Pick<Tables, 'posts' | 'watched'>,
  { target, copy }: Firing,
): Content | null {
  const post = target && posts.includes(target.post) ? target.post : copy;
  if (!post) return null;
  return {
    ...SHOWN,
    origin: 'own',
    caption: post.text,
    isPublic: true,
    isEcho: false,
    isGone: isGone({ watched }, target),
    file: { state: 'stored' },
  };
}

/** readSeen */
export function isGone({ watched }: Pick<Tables, 'watched'>, target: Firing['target']): boolean {
  return watched.some(
    ({ place, remoteId, goneAt }) => goneAt !== null && place === target?.place && remoteId === target.remoteId,
  );
}

/** readForeign */
export function foreignContent({ files, bugs }: Tables, { watched, rule }: Firing): Content | null {
  if (!watched) return null;
  const file = files.find((each) => each.watched === watched && each.user === rule.user);
  return {
    ...SHOWN,
    origin: 'foreign',
    caption: watched.text,
    isPublic: watched.isPublic || bugs.has('private posts reposted'),
    isEcho: watched.state === 'echo',
    isGone: watched.goneAt !== null,
    file: file?.state === 'failed' ? { state: 'failed', problem: say('gone') } : { state: file?.state ?? 'none' },
  };
}
