/** Facts with their references resolved: items on sources, and placements on destinations. */

import type {
  Account,
  ActivityLine,
  Appearance,
  Changes,
  Facts,
  HandPost,
  Identity,
  Outcome,
  ReelayPost,
  Repost,
  Rule,
  Time,
  Video,
} from './facts.ts';
import { intersect, merge, type Span, subtract } from './intervals.ts';
import { createLocalClock, type LocalClock } from './local-time.ts';

/** A post on an identity, as a rule with that source can see it. */
export interface Item {
  id: string;
  appearance: Appearance;
  identity: Identity;
  at: Time;
  video: Video;
  /** The texts by time; the first from publication. For posts made through Reelay, what was sent to that target. */
  texts: { from: Time; text: string }[];
  changes: Changes;
  /** Whether it was public when it appeared. For posts made with the app of the platform only. */
  startsPublic: boolean;
  /** The user who sent it through Reelay; null: made elsewhere. */
  sender: string | null;
  /** How its send ended. For posts made through Reelay only. */
  outcome: Outcome | null;
  /** When its user deleted its entry from the history, with its file; null: never. */
  entryRemovedAt: Time | null;
  /** The post from which its lineage comes. */
  root: Item;
  /** Equal for all targets of one post, and for everything that rules made of them. */
  lineage: string;
  /** Whether the outcome of every send in its lineage was known, so that the service must know the lineage. */
  isCertain: boolean;
}

/** What occupies a destination: a post there, or a send to it. */
export interface Placement {
  key: string;
  identity: string;
  kind: 'sent' | 'repost' | 'outside';
  lineage: string;
  /** The first post of its lineage; null: a direct post that is not on its platform yet. */
  root: Item | null;
  texts: string[];
  durationMs: number;
  /** Published, or queued if it is not published. */
  at: Time;
  /** When the service received it, or when it appeared there. */
  queuedAt: Time;
  /** The latest time from which it counts: a retry queues it again. */
  surelyFrom: Time;
  /** When it stopped to count, because nothing was sent; null: it counts. */
  releasedAt: Time | null;
  isCertain: boolean;
  repost: Repost | null;
  appearances: Appearance[];
}

export interface FactIndex {
  facts: Facts;
  clock: LocalClock;
  identity(id: string): Identity;
  account(id: string): Account;
  rule(id: string): Rule;
  /** null if no appearance has the id. */
  item(id: string): Item | null;
  items: Item[];
  itemsOn(identity: string): Item[];
  placementsOn(identity: string): Placement[];
  reposts: Repost[];
  repostsOf(rule: string, item: string): Repost[];
  linesOf(rule: string, item: string): ActivityLine[];
  /** Identities on which a user, and no rule, put the lineage. */
  originIdentities(lineage: string): ReadonlySet<string>;
  /** Identities on which the lineage is, by any path. */
  lineageIdentities(lineage: string): ReadonlySet<string>;
  /** When the service ran: without outages and clock jumps. */
  running: Span[];
  /** When the account was connected. */
  connected(account: string): Span[];
  /** When the rule existed: until its deletion, or until its source or its last destination was disconnected. */
  ruleEnd(rule: string): Time;
  /** When the rule was active while it existed. */
  active(rule: string): Span[];
  /** The identity of the source of a rule. */
  sourceOf(rule: string): Identity;
  /** When the list of an identity was checked: some rule was active, its account connected, the list readable. */
  checked(identity: string): Span[];
}

const NO_CHANGES: Changes = { edits: [], absent: [], audience: [] };

/** Finds an entry that the facts themselves must have. A failure is an error of the harness. */
function requireEntry<T>(map: ReadonlyMap<string, T>, id: string, what: string): T {
  const entry = map.get(id);
  if (entry === undefined) throw new Error(`The facts name ${what} ${id}, but do not contain it.`);
  return entry;
}

const byId = <T extends { id: string }>(entries: readonly T[]) => new Map(entries.map((entry) => [entry.id, entry]));

function group<T>(entries: readonly T[], keyOf: (entry: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const list = groups.get(key);
    if (list) list.push(entry);
    else groups.set(key, [entry]);
  }
  return groups;
}

/** Whether a send to the identity had a known outcome. */
function hasKnownOutcome(facts: Facts, identity: string, from: Time, outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return false;
  const end = outcome.kind === 'pending' ? facts.endedAt : outcome.at;
  return !facts.faults.some(
    (fault) =>
      fault.identity === identity && fault.kind === 'unknown' && fault.from <= end && (fault.to ?? end) >= from,
  );
}

/** When a send stopped to occupy its account. What appeared and was removed before it was confirmed was there. */
const releasedBy = (outcome: Outcome, found: readonly Appearance[]): Time | null =>
  (outcome.kind === 'rejected' || outcome.kind === 'cancelled') && found.length === 0 ? outcome.at : null;

/** Finds what the facts name. */
function createLookups(facts: Facts) {
  const identities = byId(facts.identities);
  const accounts = byId(facts.accounts);
  const rules = byId(facts.rules);
  const account = (id: string) => requireEntry(accounts, id, 'account');
  const identity = (id: string) => requireEntry(identities, id, 'identity');
  const rule = (id: string) => requireEntry(rules, id, 'rule');
  const identityOf = (accountId: string) => identity(account(accountId).identity);
  return { account, identity, rule, identityOf };
}

type Lookups = ReturnType<typeof createLookups>;

/** Builds all items, and what they come from. */
function indexItems(facts: Facts, { identity, rule }: Lookups) {
  const posts = byId(facts.posts);
  const handPosts = byId(facts.handPosts);
  const reposts = byId(facts.reposts);
  const appearances = byId(facts.appearances);
  const items = new Map<string, Item>();
  const building = new Set<string>();
  const sourceItem = (entry: Repost) => {
    const found = buildItem(entry.item);
    if (!found) throw new Error(`The repost ${entry.id} names the appearance ${entry.item}, which is not there.`);
    return found;
  };

  /** Adds who sent the item, and from what. @returns the text that was sent, if it is not the text that appeared */
  const addSender = (item: Item): string | null => {
    const { by } = item.appearance;
    if (by.kind === 'post') {
      const post: ReelayPost = requireEntry(posts, by.post, 'post');
      const target = post.targets.find((candidate) => candidate.account === by.account);
      if (!target) throw new Error(`The post ${post.id} has no target ${by.account}.`);
      item.lineage = `post ${post.id}`;
      item.sender = post.user;
      item.outcome = target.outcome;
      item.entryRemovedAt = post.removedAt;
      item.changes = target.changes;
      item.isCertain = hasKnownOutcome(facts, item.identity.id, post.sentAt, target.outcome);
      return target.text ?? post.text;
    }
    if (by.kind === 'hand') {
      const handPost: HandPost = requireEntry(handPosts, by.handPost, 'hand post');
      item.changes = handPost.changes;
      item.startsPublic = handPost.isPublic;
    } else if (by.kind === 'repost') {
      const entry: Repost = requireEntry(reposts, by.repost, 'repost');
      const target = entry.targets.find((candidate) => candidate.account === by.account);
      if (!target) throw new Error(`The repost ${entry.id} has no target ${by.account}.`);
      const source = sourceItem(entry);
      item.root = source.root;
      item.lineage = source.lineage;
      item.sender = rule(entry.rule).user;
      item.outcome = target.outcome;
      item.entryRemovedAt = entry.removedAt;
      item.changes = target.changes;
      item.isCertain =
        source.isCertain && hasKnownOutcome(facts, item.identity.id, target.begunAt ?? target.queuedAt, target.outcome);
    }
    return null;
  };
  function buildItem(id: string): Item | null {
    const existing = items.get(id);
    if (existing) return existing;
    const appearance = appearances.get(id);
    if (!appearance) return null;
    if (building.has(id)) throw new Error(`The appearance ${id} is a repost of itself.`);
    building.add(id);
    const item: Item = {
      id,
      appearance,
      identity: identity(appearance.identity),
      at: appearance.at,
      video: appearance.video,
      texts: [],
      changes: NO_CHANGES,
      startsPublic: true,
      sender: null,
      entryRemovedAt: null,
      outcome: null,
      // Set below: an item without a source is its own root.
      root: undefined as unknown as Item,
      lineage: `outside ${id}`,
      isCertain: true,
    };
    item.root = item;
    const text = addSender(item) ?? appearance.text;
    item.texts = [
      { from: appearance.at, text },
      ...item.changes.edits.map((edit) => ({ from: edit.at, text: edit.text })),
    ];
    building.delete(id);
    items.set(id, item);
    return item;
  }
  for (const { id } of facts.appearances) buildItem(id);
  const allItems = [...items.values()].sort((a, b) => a.at - b.at);
  return { items, allItems, buildItem, sourceItem };
}

type Items = ReturnType<typeof indexItems>;

/** Builds all placements, and the identities on which each lineage is. */
function indexPlacements(facts: Facts, { identityOf }: Lookups, { allItems, buildItem, sourceItem }: Items) {
  const placements: Placement[] = [];
  const origins = new Map<string, Set<string>>();
  const spread = new Map<string, Set<string>>();
  const note = (map: Map<string, Set<string>>, lineage: string, where: string) =>
    map.set(lineage, (map.get(lineage) ?? new Set()).add(where));
  const surelyFrom = (entry: string, accountId: string, queuedAt: Time) =>
    Math.max(
      queuedAt,
      ...facts.retries
        .filter((retry) => retry.entry === entry && retry.account === accountId && retry.response === 'accepted')
        .map((retry) => retry.at),
    );
  const sentTo = group(facts.appearances, ({ id, by }) => {
    if (by.kind === 'post') return `${by.post} ${by.account}`;
    return by.kind === 'repost' ? `${by.repost} ${by.account}` : id;
  });

  for (const post of facts.posts) {
    for (const target of post.targets) {
      const where = identityOf(target.account).id;
      const found = sentTo.get(`${post.id} ${target.account}`) ?? [];
      const lineage = `post ${post.id}`;
      const { outcome } = target;
      placements.push({
        key: `${post.id} ${target.account}`,
        identity: where,
        kind: 'sent',
        lineage,
        root: found[0] ? buildItem(found[0].id) : null,
        texts: [target.text ?? post.text, ...target.changes.edits.map((edit) => edit.text)],
        durationMs: post.video.durationMs,
        at: found[0]?.at ?? post.scheduledFor ?? post.sentAt,
        queuedAt: post.sentAt,
        surelyFrom: surelyFrom(post.id, target.account, post.sentAt),
        releasedAt: releasedBy(outcome, found),
        isCertain: hasKnownOutcome(facts, where, post.sentAt, outcome),
        repost: null,
        appearances: found,
      });
      note(spread, lineage, where);
      if (releasedBy(outcome, found) === null) note(origins, lineage, where);
    }
  }
  for (const entry of facts.reposts) {
    const source = sourceItem(entry);
    for (const target of entry.targets) {
      const where = identityOf(target.account).id;
      const found = sentTo.get(`${entry.id} ${target.account}`) ?? [];
      const { outcome } = target;
      const ended = releasedBy(outcome, found);
      const unbegun = target.begunAt === null && found.length === 0 ? (entry.removedAt ?? entry.withdrawnAt) : null;
      placements.push({
        key: `${entry.id} ${target.account}`,
        identity: where,
        kind: 'repost',
        lineage: source.lineage,
        root: source.root,
        texts: source.root.texts.map(({ text }) => text),
        durationMs: source.root.video.durationMs,
        at: found[0]?.at ?? target.begunAt ?? target.queuedAt,
        queuedAt: target.queuedAt,
        surelyFrom: surelyFrom(entry.id, target.account, target.queuedAt),
        releasedAt: ended ?? unbegun,
        isCertain: source.isCertain && hasKnownOutcome(facts, where, target.begunAt ?? target.queuedAt, outcome),
        repost: entry,
        appearances: found,
      });
      note(spread, source.lineage, where);
    }
  }
  for (const item of allItems) {
    const { kind } = item.appearance.by;
    if (kind === 'post' || kind === 'repost') continue;
    placements.push({
      key: item.id,
      identity: item.identity.id,
      kind: 'outside',
      lineage: item.lineage,
      root: item,
      texts: item.texts.map(({ text }) => text),
      durationMs: item.video.durationMs,
      at: item.at,
      queuedAt: item.at,
      surelyFrom: item.at,
      releasedAt: null,
      isCertain: true,
      repost: null,
      appearances: [item.appearance],
    });
    note(origins, item.lineage, item.identity.id);
    note(spread, item.lineage, item.identity.id);
  }
  return { placements, origins, spread };
}

/** When the service ran, accounts were connected, rules were active and lists were checked. */
function indexSpans(facts: Facts, { account }: Lookups) {
  const end = facts.endedAt;
  const whole: Span[] = [{ from: Math.min(facts.startedAt, ...facts.rules.map(({ addedAt }) => addedAt)), to: end }];
  const stopped = merge(
    [...facts.outages, ...facts.clockJumps.map(({ at, byMs }) => ({ from: at, to: at + byMs }))],
    end,
  );
  const running = subtract(whole, stopped);
  const connectedSpans = new Map(
    facts.accounts.map(({ id, states }) => [
      id,
      merge(
        states
          .map(({ from, state }, i) => ({ from, to: states[i + 1]?.from ?? null, state }))
          .filter(({ state }) => state === 'connected'),
        end,
      ),
    ]),
  );
  /** When an account of a rule was removed. A reconnected account does not return to its rules. */
  const removedAt = (accountId: string, after: Time) =>
    account(accountId).states.find(({ from, state }) => state === 'disconnected' && from > after)?.from ??
    Number.POSITIVE_INFINITY;
  const ruleEnds = new Map(
    facts.rules.map((entry) => [
      entry.id,
      Math.min(
        entry.deletedAt ?? Number.POSITIVE_INFINITY,
        removedAt(entry.source, entry.addedAt),
        Math.max(...entry.destinations.map((id) => removedAt(id, entry.addedAt))),
      ),
    ]),
  );
  const ruleEnd = (id: string) => requireEntry(ruleEnds, id, 'rule');
  const activeSpans = new Map(
    facts.rules.map((entry) => [
      entry.id,
      intersect(merge(entry.active, end), [{ from: entry.addedAt, to: Math.min(end, ruleEnd(entry.id)) }]),
    ]),
  );
  const active = (id: string) => requireEntry(activeSpans, id, 'rule');
  const connected = (id: string) => requireEntry(connectedSpans, id, 'account');
  const checkedSpans = new Map(
    facts.identities.map(({ id, list }) => {
      const readers = facts.rules.filter((entry) => account(entry.source).identity === id);
      const wanted = merge(
        readers.flatMap((entry) => intersect(active(entry.id), connected(entry.source))),
        end,
      );
      const unreadable = merge(
        facts.faults.filter((fault) => fault.identity === id && fault.kind === 'unreadable'),
        end,
      );
      return [id, list.mode === 'own' ? [] : subtract(intersect(wanted, running), unreadable)];
    }),
  );
  return { running, connected, ruleEnd, active, checked: (id: string) => requireEntry(checkedSpans, id, 'identity') };
}

/** Resolves all references of the facts. */
export function indexFacts(facts: Facts): FactIndex {
  const lookups = createLookups(facts);
  const { identity, account, rule, identityOf } = lookups;
  const built = indexItems(facts, lookups);
  const { items, allItems } = built;
  const { placements, origins, spread } = indexPlacements(facts, lookups, built);
  const itemsByIdentity = group(allItems, (item) => item.identity.id);
  const placementsByIdentity = group(placements, (placement) => placement.identity);
  const repostsByItem = group(facts.reposts, (entry) => `${entry.rule} ${entry.item}`);
  const lines = group(facts.activity, (line) => `${line.rule} ${line.item}`);
  const nowhere: ReadonlySet<string> = new Set();
  return {
    facts,
    clock: createLocalClock(),
    identity,
    account,
    rule,
    item: (id) => items.get(id) ?? null,
    items: allItems,
    itemsOn: (id) => itemsByIdentity.get(id) ?? [],
    placementsOn: (id) => placementsByIdentity.get(id) ?? [],
    reposts: facts.reposts,
    repostsOf: (ruleId, itemId) => repostsByItem.get(`${ruleId} ${itemId}`) ?? [],
    linesOf: (ruleId, itemId) => lines.get(`${ruleId} ${itemId}`) ?? [],
    originIdentities: (lineage) => origins.get(lineage) ?? nowhere,
    lineageIdentities: (lineage) => spread.get(lineage) ?? nowhere,
    ...indexSpans(facts, lookups),
    sourceOf: (id) => identityOf(rule(id).source),
  };
}
