/** Reads again what a live event says has changed. */
import type { LiveEvent } from '@reelay/sdk';
import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** First parts of the keys that a kind of event concerns. Rules contain their accounts. */
const ROOTS: Readonly<Record<Exclude<LiveEvent['type'], 'resync'>, readonly string[]>> = {
  post: ['posts'],
  account: ['accounts', 'rules'],
  rule: ['rules'],
  notification: ['notifications'],
};

/** Reading these uses up the reads that a platform allows, so no event reads them again. */
const COSTLY_ROOTS: ReadonlySet<unknown> = new Set(['rule-catalog']);

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
  const end = onEvent((event) => {
    for (const { queryKey, queryHash } of queries.getQueryCache().getAll())
      if (isConcerned(queryKey, event)) changed.add(queryHash);
    if (changed.size > 0) schedule();
  });
  return () => {
    end();
    clearTimeout(timer);
  };
}
