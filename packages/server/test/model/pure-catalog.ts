/** Older posts that a rule's user selects, in memory. Mirrors catalog.ts and firing-store.ts. */
import type { PureStore } from './pure-store.ts';
import { due, type Firing, type Rule, type Watched } from './pure-tables.ts';

export interface Selection {
  items: readonly Watched[];
  order: 'oldest' | 'newest';
  perDay: number;
}

/** selectCatalog, with reconsiderFirings */
export function selectCatalog(store: PureStore, rule: Rule, { items, order, perDay }: Selection): void {
  rule.options = { ...rule.options, backCatalog: { order, perDay, items: items.map(({ id }) => String(id)) } };
  store.firings = store.firings.filter(
    (each) =>
      each.rule !== rule ||
      !each.isCatalog ||
      each.state !== 'waiting' ||
      items.some(({ origin }) => origin === each.origin),
  );
  const sorted = items.toSorted(
    (a, b) => (a.publishedAt - b.publishedAt) * (order === 'newest' ? -1 : 1) || a.id - b.id,
  );
  for (const [index, watched] of sorted.entries()) {
    const at = store.now + index + 1;
    const place = {
      isCatalog: true,
      state: 'waiting',
      reason: null,
      decidedAt: null,
      dueAt: at,
      createdAt: at,
    } as const;
    const known = store.firings.find((each) => each.rule === rule && each.origin === watched.origin);
    if (!known) {
      const { origin, content } = watched;
      const made = { target: null, watched, copy: null, limitedAt: null };
      store.firings.push({ ...due(at), id: store.id(), rule, origin: origin ?? 0, content, ...made, ...place });
    } else if (known.state === 'skipped' || (known.state === 'waiting' && known.isCatalog)) {
      const isRemoved = known.target && !known.copy && !store.posts.includes(known.target.post);
      if (known.state === 'skipped' || !store.bugs.has('new order ignored'))
        Object.assign(known, place, isRemoved && { target: null, watched });
    }
  }
  for (const firing of store.firings)
    if (firing.rule === rule && firing.state === 'waiting')
      firing.dueAt = Math.min(firing.dueAt ?? store.now, store.now);
  wakeCatalog(store, rule);
}

/** NEXT_OF_CATALOG */
const nextOf = (store: PureStore, rule: Rule) =>
  store.firings
    .filter((each) => each.rule === rule && each.isCatalog && each.state === 'waiting')
    .sort((a, b) => a.createdAt - b.createdAt || a.id - b.id)[0];

/** turnOfCatalog */
export function turnOfCatalog(store: PureStore, firing: Firing): { lastAt: number | null; isNext: boolean } {
  const done = store.firings.filter(
    (each) => each.rule === firing.rule && each.isCatalog && each.state === 'reposted' && each.decidedAt !== null,
  );
  const lastAt = done.length === 0 ? null : Math.max(...done.map(({ decidedAt }) => decidedAt ?? 0));
  return { lastAt, isNext: nextOf(store, firing.rule) === firing };
}

/** wakeCatalog */
export function wakeCatalog(store: PureStore, rule: Rule): void {
  const next = nextOf(store, rule);
  if (next) next.dueAt ??= store.now;
}
