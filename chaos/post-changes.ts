/**
 * Users who change their minds about a post: they cancel, edit, move, stop, retry or delete it, or choose another account,
 * around the time it is due.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { AccountService, ChaosUser } from './accounts.ts';
import type { AuditedTarget } from './audit.ts';
import { type ApiResponse, call } from './calls.ts';
import type { PostPlan } from './load.ts';
import { repeatInOutage } from './outage.ts';
import type { Random } from './random.ts';

/**
 * `swap`: another account of the user replaces the first one. `reconnect`: one of its accounts is disconnected and connected again, then the post is retried. `remove`: it is deleted
 * from the history once it has finished.
 */
const KINDS = [
  ...(['cancel', 'cancel', 'edit', 'edit', 'move', 'editAndMove', 'swap', 'swap'] as const),
  ...(['reconnect', 'remove'] as const),
  ...(['tryNow', 'stop', 'stop'] as const),
];
export type PostChangeKind = (typeof KINDS)[number];

export interface PlannedChange {
  kind: PostChangeKind;
  /** From the time at which the post is due. */
  delayMs: number;
}

export interface PostChange extends ApiResponse {
  kind: PostChangeKind;
  postId: string;
  /** The text before the change. */
  text: string;
  /** What an edit changes it to. */
  newText: string;
  /** Ids of its accounts before the change, and after a swap. */
  accounts: { before: readonly string[]; after: readonly string[] };
  /** Not to be sent earlier, in ms since the epoch by the service's clock; null: no such promise. */
  notBefore: number | null;
  /** The rows of a deleted post, read before. */
  removed: AuditedTarget[];
}

export interface ChangeDeps {
  url: string;
  accountService: AccountService;
  /** Ms since the epoch by the service's clock. */
  now(): number;
  readPost(postId: string): Promise<AuditedTarget[]>;
  /** Accounts that stay connected, because steady rules use them. */
  fixed: ReadonlySet<string>;
}

/** Posts are changed within this time of being due, in ms. */
const AROUND_MS = 1_500;
const MOVED_BY_MS = 4_000;
const REMOVE_ATTEMPTS = 100;
const CONNECT_ATTEMPTS = 50;

/**
 * Chooses posts to change; all but those to delete become scheduled. Posts whose text another post has are not changed.
 * @returns the changes by index of the post
 */
export function planPostChanges(posts: PostPlan[], count: number, random: Random): Map<number, PlannedChange> {
  const uses = Map.groupBy(posts, ({ text }) => text);
  const alone = posts.flatMap(({ text }, index) => (uses.get(text)?.length === 1 ? [index] : []));
  const chosen = random.sample(alone, count);
  return new Map(
    chosen.map((index) => {
      const kind = random.pick(KINDS);
      const post = posts[index];
      if (post) posts[index] = { ...post, inMs: kind === 'remove' ? null : 1_500 + random.below(4_000) };
      return [index, { kind, delayMs: random.below(2 * AROUND_MS) - AROUND_MS }];
    }),
  );
}

/** Changes an accepted post. */
export async function changePost(
  deps: ChangeDeps,
  { plan, postId, kind, delayMs }: { plan: PostPlan; postId: string } & PlannedChange,
): Promise<PostChange> {
  const { url, now } = deps;
  const to = { url, key: plan.user.key };
  const newText = `${plan.text}, edited`;
  const accounts = { before: plan.accountIds, after: kind === 'swap' ? swapped(plan) : plan.accountIds };
  const made = { kind, postId, text: plan.text, newText, accounts, notBefore: null, removed: [] };
  await pause(Math.max(0, (plan.inMs ?? 0) + delayMs));
  if (kind === 'cancel') return { ...made, ...(await call(to, 'GET', `/post/cancelSchedule?id=${postId}`)) };
  if (kind === 'remove') return { ...made, ...(await remove(deps, to, postId)) };
  if (kind === 'tryNow') return { ...made, ...(await call(to, 'POST', `/post/${postId}/try-now`, () => ({}))) };
  if (kind === 'stop') return { ...made, ...(await call(to, 'POST', `/post/${postId}/stop`, () => ({}))) };
  if (kind === 'swap')
    return { ...made, ...(await call(to, 'PATCH', `/post/${postId}`, () => ({ platforms: accounts.after }))) };
  if (kind === 'reconnect') return { ...made, ...(await reconnect(deps, plan, postId)) };
  let scheduled = 0;
  const edit = () => {
    scheduled = Math.round(now()) + MOVED_BY_MS;
    return {
      ...(kind === 'move' ? {} : { description: newText }),
      ...(kind === 'edit' ? {} : { scheduled }),
    };
  };
  const response = await call(to, 'PATCH', `/post/${postId}`, edit);
  return { ...made, ...response, notBefore: kind !== 'edit' && response.status === 200 ? scheduled : null };
}

/** The accounts with another one in place of the first; unchanged if the user has no other one. */
function swapped({ user, accountIds }: PostPlan): string[] {
  const [first = '', ...others] = accountIds;
  return [user.accounts.find(({ id }) => !accountIds.includes(id))?.id ?? first, ...others];
}

async function remove({ readPost }: ChangeDeps, to: { url: string; key: string }, postId: string) {
  for (let left = REMOVE_ATTEMPTS; ; left--) {
    // Rows of a finished post change only by a retry, and by late proof.
    const removed = await readPost(postId);
    const isFinished = removed.every(({ state }) => state === 'posted' || state === 'failed');
    if (isFinished) {
      const response = await call(to, 'DELETE', `/post/${postId}`);
      if (response.status === 200 || response.attempts > 1) return { ...response, removed };
    }
    if (left === 0) return { status: 409, attempts: 1 };
    await pause(300);
  }
}

async function reconnect(deps: ChangeDeps, { user, accountIds }: PostPlan, postId: string): Promise<ApiResponse> {
  const { url, accountService, fixed } = deps;
  const account = user.accounts.find(({ id }) => accountIds.includes(id) && !fixed.has(id));
  if (account) await reconnectAccount(accountService, user, account);
  return call({ url, key: user.key }, 'POST', `/post/${postId}/retry`, () => ({}));
}

/** Disconnects an account and connects it again. Another change may do the same at the same time. */
export async function reconnectAccount(
  accountService: AccountService,
  user: Pick<ChaosUser, 'id'>,
  { id, platform, username }: { id: string; platform: string; username: string },
): Promise<void> {
  await repeatInOutage(() => accountService.disconnect(user.id, id)).catch((error: { code?: string }) => {
    if (error.code !== 'unknown_platform') throw error;
  });
  for (let attempt = 1; ; attempt++)
    try {
      await accountService.connect(user.id, platform, username);
      return;
    } catch (error) {
      // The platform fails sometimes, and its user tries again.
      if (attempt === CONNECT_ATTEMPTS) throw error;
      await pause(500);
    }
}
