/** What the tables in memory say about content, as content-store.ts reads it. */
import type { MessageRef } from '../../src/messages/message.ts';
import { say } from '../../src/messages/rules.ts';
import type { Content } from '../../src/reposts/decide.ts';
import type { Form } from './pure-copies.ts';
import type { PureStore } from './pure-store.ts';
import type { Firing, SourceFile, Target } from './pure-tables.ts';

const SHOWN = { url: null, sourceName: '@source', withoutFile: null, isEcho: false };

/** readOwn or readForeign */
export function contentOf(store: PureStore, firing: Firing): Content | null {
  const content = firing.target ? ownContent(store, firing) : foreignContent(store, firing);
  const isIgnored = store.bugs.has('gone ignored once stored') && content?.file.state === 'stored';
  return content && isIgnored ? { ...content, isGone: false } : content;
}

function ownContent(store: PureStore, { target, copy }: Firing): Content | null {
  if (!target || (!copy && !store.posts.includes(target.post))) return null;
  return {
    ...SHOWN,
    origin: 'own',
    durationMs: target.post.durationMs,
    caption: store.bugs.has('description reposted') ? target.post.text : target.text,
    isPublic: target.isPublic === true || store.bugs.has('own posts always public'),
    isGone: isGone(store, target),
    file: { state: 'stored' },
  };
}

/** readSeen */
export function isGone(store: PureStore, target: Target | null): boolean {
  return store.watched.some(
    ({ place, remoteId, goneAt }) => goneAt !== null && place === target?.place && remoteId === target.remoteId,
  );
}

function foreignContent(store: PureStore, { watched, rule }: Firing): Content | null {
  if (!watched) return null;
  const file = store.files.find((each) => each.watched === watched && each.user === rule.user);
  const problem =
    file?.problem === 'no_file'
      ? say('no_file', { reason: say('platform_without_files', { platform: 'P' }) })
      : say('gone');
  return {
    ...SHOWN,
    origin: 'foreign',
    caption: watched.text,
    durationMs: watched.durationMs,
    isPublic: (watched.isPublic && watched.publicInTime) || store.bugs.has('private posts reposted'),
    isEcho: watched.state === 'echo',
    isGone: watched.goneAt !== null,
    file: fileOf(file, problem),
  };
}

function fileOf(file: SourceFile | undefined, problem: MessageRef): Content['file'] {
  if (file?.state === 'failed') return { state: 'failed', problem };
  return file?.state === 'wanted' ? { state: 'wanted', since: file.createdAt } : { state: file ? 'stored' : 'none' };
}

/** readForm and formOf */
export function formOf(store: PureStore, { target, watched }: Firing): Form | null {
  if (watched) {
    const { text, durationMs, isMeasured, publishedAt } = watched;
    return { text, durationMs, isMeasured, at: publishedAt };
  }
  const placed = store.placements.find(({ targetId }) => targetId !== null && targetId === target?.id);
  if (!placed) return null;
  const { text, contentText, durationMs, isMeasured, publishedAt } = placed;
  return { text: contentText ?? text, durationMs, isMeasured, at: publishedAt };
}
