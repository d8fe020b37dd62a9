/** Posts in memory: how they are made, posted, and removed. */
import type { Place } from './history.ts';
import { hasContent } from './pure-copies.ts';
import { addFirings, reopenAfterFailure } from './pure-firings.ts';
import type { PureStore } from './pure-store.ts';
import type { Post, Target } from './pure-tables.ts';

/** @property captions texts of targets, by place @property few audiences of targets, by place */
export interface NewPost extends Omit<Post, 'id' | 'origin' | 'createdAt'> {
  origin?: number;
  captions?: Readonly<Record<Place, string>>;
  few?: Readonly<Record<Place, boolean>>;
}

/** insertPost of posts/post-store.ts. Destinations that are not connected fail at once, as in targetFor of firing.ts. */
export function insertPost(store: PureStore, given: NewPost, places: readonly Place[]): Post {
  const { captions, few, ...rest } = given;
  const id = store.id();
  const post = { ...rest, id, origin: given.origin ?? id, createdAt: store.now };
  store.posts.push(post);
  insertTargets(store, post, places, few, captions);
  return post;
}

/** insertTargets of posts/post-store.ts @param few @param captions as in {@link NewPost} */
export function insertTargets(
  store: PureStore,
  post: Post,
  places: readonly Place[],
  few: NewPost['few'],
  captions?: NewPost['captions'],
): void {
  for (const place of places) {
    // target_lineage
    const isTaken = hasContent(store, post.origin, place);
    if (isTaken && !store.bugs.has('no unique lineage')) throw new Error('The unique lineage is violated.');
    const target: Target = {
      ...{ id: store.id(), post, place, origin: post.origin, text: captions?.[place] ?? post.text, few: few?.[place] },
      ...{ isPublic: null, state: 'scheduled', dueAt: store.now, begun: false },
      ...{ committedAt: null, unknownSince: null, code: null, settledAt: null, remoteId: null, publishedAt: null },
      version: 0,
    };
    store.targets.push(target);
    if (!store.isConnected(post.user, place)) failTarget(store, target, 'reconnect_required');
  }
}

/** failTargets of failed.ts */
export function failTarget(store: PureStore, target: Target, code: string): void {
  Object.assign(target, { state: 'failed', code, dueAt: null, settledAt: store.now });
  target.version++;
  reopenAfterFailure(store, target);
  store.onFailed(target);
}

export function removePost(store: PureStore, post: Post): void {
  store.posts = store.posts.filter((each) => each !== post);
  store.targets = store.targets.filter((each) => each.post !== post);
}

/** removePost of change.ts @returns false if a target is not final */
export function deletePost(store: PureStore, post: Post): boolean {
  const targets = store.targets.filter((target) => target.post === post);
  if (targets.some(({ dueAt }) => dueAt !== null)) return false;
  // copyToFirings
  for (const firing of store.firings)
    if (firing.state === 'waiting' && firing.target?.post === post) firing.copy = post;
  // placeUnproven
  for (const target of targets)
    if (target.state === 'failed' && target.code === 'outcome_unknown')
      store.placements.push({ ...placementOf(target), remoteId: null, publishedAt: target.committedAt ?? store.now });
  removePost(store, post);
  if (store.bugs.has('placement forgotten with its post'))
    store.placements = store.placements.filter(({ targetId }) => !targets.some(({ id }) => id === targetId));
  return true;
}

/** placement of placement.ts */
function placementOf({ id, origin, place, text, post }: Target) {
  const { user, contentText, durationMs } = post;
  return { origin, place, targetId: id, user, text, contentText, durationMs, isMeasured: true };
}

/** claimPlacement and addFirings, as in record-posted.ts and evidence-store.ts */
export function recordPosted(
  store: PureStore,
  target: Target,
  { remoteId, publishedAt }: { remoteId: string; publishedAt: number },
  late = false,
): void {
  const { place, origin, post } = target;
  Object.assign(target, { state: 'posted', dueAt: null, code: null, settledAt: store.now, remoteId, publishedAt });
  target.version++;
  const taken = store.placements.some((p) => p.place === place && p.remoteId === remoteId && p.targetId !== target.id);
  if (taken) {
    target.remoteId = null;
    return;
  }
  store.placements = store.placements.filter(({ targetId }) => targetId !== target.id);
  store.placements.push({ ...placementOf(target), remoteId, publishedAt });
  if (late && store.bugs.has('late proof fires no rules')) return;
  const rules = store.rules.filter(({ user, from }) => user === post.user && from === place);
  const moment = Math.max(publishedAt, target.committedAt ?? 0);
  addFirings(store, rules, { origin, content: post.content, target, watched: null }, moment);
}
