/** Reads again what a live event says has changed. */
import type { LiveEvent } from '@reelay/sdk';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { accountKeys, notificationKeys, postKeys, ruleKeys } from '../queries/keys.ts';

const [POSTS, ACCOUNTS, RULES, NOTIFICATIONS] = [
  postKeys.all[0],
  accountKeys.all[0],
  ruleKeys.all[0],
  notificationKeys.all[0],
];

/** First parts of the keys that a kind of event concerns. Rules contain their accounts. */
const ROOTS: Readonly<Record<Exclude<LiveEvent['type'], 'resync'>, readonly string[]>> = {
  post: [POSTS],
  account: [ACCOUNTS, RULES],
  rule: [RULES],
  notification: [NOTIFICATIONS],
};

/** Reading these uses up the reads that a platform allows, so no event reads them again. */
const COSTLY_ROOTS: ReadonlySet<unknown> = new Set([ruleKeys.catalog('')[0]]);

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Whether an event concerns a query. A key is `[root, id, …]` for one resource, and `[root, …]` for lists.
 * Pure.
 */
export function isConcerned(key: QueryKey, event: LiveEvent): boolean {
  const [root, id] = key;
  if (COSTLY_ROOTS.has(root)) return false;
  if (event.type === 'resync') return true;
  const [own] = ROOTS[event.type];
  if (typeof root !== 'string' || !ROOTS[event.type].includes(root)) return false;
  return root !== own || typeof id !== 'string' || !ID.test(id) || id === event.id;
}

/** Changes that arrive within this time, in ms, are read together. */
const TOGETHER_MS = 300;
/** A calendar has up to ten pages, so it is read less often, in multiples of that time. */
const CALENDAR_TIMES = 10;
const CALENDAR = postKeys.calendar(0, 0)[1];

/**
 * Invalidates the queries that events concern. A query that is being read is read again afterwards: the response may be
 * older than the change, and canceling it again and again would never end.
 * @param onEvent subscribes to events
 * @returns stops
 */
export function connectQueries(
  queries: QueryClient,
  onEvent: (listener: (event: LiveEvent) => void) => () => void,
  togetherMs = TOGETHER_MS,
): () => void {
  const often = createInvalidation(queries, togetherMs);
  const seldom = createInvalidation(queries, togetherMs * CALENDAR_TIMES);
  const end = onEvent((event) => {
    for (const { queryKey, queryHash } of queries.getQueryCache().getAll())
      if (isConcerned(queryKey, event)) (queryKey[1] === CALENDAR ? seldom : often).add(queryHash);
  });
  return () => {
    end();
    often.stop();
    seldom.stop();
  };
}

/** Invalidates queries by their hashes, all that are added within this time together. */
function createInvalidation(queries: QueryClient, togetherMs: number) {
  const changed = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    const cache = queries.getQueryCache();
    const ready = new Set([...changed].filter((hash) => cache.get(hash)?.state.fetchStatus !== 'fetching'));
    for (const hash of ready) changed.delete(hash);
    if (ready.size > 0) void queries.invalidateQueries({ predicate: ({ queryHash }) => ready.has(queryHash) });
    if (changed.size > 0) schedule();
  };
  const schedule = () => {
    timer ??= setTimeout(flush, togetherMs);
  };
  return {
    add: (queryHash: string) => {
      changed.add(queryHash);
      schedule();
    },
    stop: () => clearTimeout(timer),
  };
}
