/** Counts which constellations occur in facts, for a table of how often a generator produced each. */

import { sameText } from './captions.ts';
import { type FactIndex, indexFacts } from './fact-index.ts';
import type { Facts, Rule, RuleOptions } from './facts.ts';
import { DAY_MS, HOUR_MS, NEWEST_POSTS } from './limits.ts';
import { comparedItem, compareVideos } from './same-video.ts';

type Counter = (index: FactIndex) => number;

const count = <T>(entries: readonly T[], matches: (entry: T) => boolean) => entries.filter(matches).length;

/** Rules that had an option of this kind at some time. */
const withOption =
  (matches: (options: RuleOptions, rule: Rule) => boolean): Counter =>
  ({ facts }) =>
    count(facts.rules, (rule) => rule.options.some(({ value }) => matches(value, rule)));

/** Sources of rules whose list has a property. */
const withList =
  (matches: (list: Facts['identities'][number]['list']) => boolean): Counter =>
  (index) => {
    const sources = new Set(index.facts.rules.map(({ id }) => index.sourceOf(id).id));
    return count(index.facts.identities, ({ id, list }) => sources.has(id) && matches(list));
  };

/** Pairs of posts on different identities that users made and that show the same video by comparison. */
function copies(index: FactIndex): number {
  const roots = index.items.filter((item) => item.root === item);
  return roots.reduce(
    (sum, a, i) =>
      sum +
      count(
        roots.slice(i + 1),
        (b) =>
          a.identity.id !== b.identity.id &&
          a.lineage !== b.lineage &&
          compareVideos(comparedItem(index, a), comparedItem(index, b), false) !== 'no',
      ),
    0,
  );
}

/** Pairs of posts on one identity that users made with one caption. */
function series(index: FactIndex): number {
  const roots = index.items.filter((item) => item.root === item);
  return roots.reduce(
    (sum, a, i) =>
      sum +
      count(
        roots.slice(i + 1),
        (b) => a.identity.id === b.identity.id && sameText(a.texts[0]?.text ?? '', b.texts[0]?.text ?? '') === 'yes',
      ),
    0,
  );
}

const isDestination = (index: FactIndex, identity: string) =>
  index.facts.rules.some(({ destinations }) => destinations.some((id) => index.account(id).identity === identity));

/** Accounts that entered the state, and returned from it if `back`. */
const withState =
  (state: 'expired' | 'disconnected', back: boolean): Counter =>
  ({ facts }) =>
    count(facts.accounts, ({ states }) =>
      states.some((change, i) => change.state === state && (!back || states[i + 1]?.state === 'connected')),
    );

/** One counter for each constellation, by its name. */
const COUNTERS = {
  'several users on one identity': ({ facts }) =>
    count(
      facts.identities,
      ({ id }) => new Set(facts.accounts.filter(({ identity }) => identity === id).map(({ user }) => user)).size > 1,
    ),
  'account expired': withState('expired', false),
  'expired account reconnected': withState('expired', true),
  'account disconnected': withState('disconnected', false),
  'disconnected account reconnected': withState('disconnected', true),
  'own caption of a target': ({ facts }) =>
    count(
      facts.posts.flatMap(({ targets }) => targets),
      ({ text }) => text !== null,
    ),
  'own audience of a target': ({ facts }) =>
    count(
      facts.posts.flatMap(({ targets }) => targets),
      ({ privacy }) => privacy !== null,
    ),
  'account audience changed': ({ facts }) => count(facts.accounts, ({ privacy }) => privacy.length > 1),
  'hand post not public': ({ facts }) => count(facts.handPosts, ({ isPublic }) => !isPublic),
  'post became public late': ({ facts }) =>
    count(facts.handPosts, ({ isPublic, changes }) => !isPublic && changes.audience.some((change) => change.isPublic)),
  'post became private': ({ facts }) =>
    count(facts.handPosts, ({ changes }) => changes.audience.some(({ isPublic }) => !isPublic)),
  'account access changed': ({ facts }) => count(facts.identities, ({ access }) => access.length > 1),
  'option delay': withOption(({ delayMinutes }) => delayMinutes > 0),
  'option jitter': withOption(({ jitterMinutes }) => jitterMinutes > 0),
  'option quiet hours': withOption(({ quietHours }) => quietHours !== null),
  'option daily limit': withOption(({ maxPerDay }) => maxPerDay !== null),
  'option zone': withOption(({ zone }) => zone !== 'UTC'),
  'option privacy': withOption(({ privacy }) => Object.keys(privacy).length > 0),
  'option template': withOption(({ caption }) => caption.template !== '{caption}'),
  'option append': withOption(({ caption }) => caption.append !== ''),
  'option remove mentions': withOption(({ caption }) => caption.removeMentions),
  'option remove hashtags': withOption(({ caption }) => caption.removeHashtags),
  'filter contains': withOption(({ filters }) => filters.contains.length > 0),
  'filter excludes': withOption(({ filters }) => filters.excludes.length > 0),
  'filter hashtags': withOption(({ filters }) => filters.hashtags.length > 0),
  'filter length': withOption(({ filters }) => filters.minSeconds !== null || filters.maxSeconds !== null),
  'option fit': withOption(({ fit }) => fit !== null),
  'option back catalog': withOption(({ backCatalog }) => (backCatalog?.items.length ?? 0) > 0),
  'options changed': ({ facts }) => count(facts.rules, ({ options }) => options.length > 1),
  'pause keeps posts': ({ facts }) =>
    count(
      facts.rules,
      ({ between, active }) => between === 'keep' && (active.length > 1 || active.at(-1)?.to !== null),
    ),
  'rule paused and resumed': ({ facts }) => count(facts.rules, ({ active }) => active.length > 1),
  'rule deleted': ({ facts }) => count(facts.rules, ({ deletedAt }) => deletedAt !== null),
  'several destinations': ({ facts }) => count(facts.rules, ({ destinations }) => destinations.length > 1),
  'chain of rules': (index) =>
    count(index.facts.reposts, ({ item }) => index.item(item)?.appearance.by.kind === 'repost'),
  'two sources of one video': copies,
  'series with one caption': series,
  'destination that shares by itself': (index) =>
    count(index.facts.identities, ({ id, sharesTo }) => sharesTo.length > 0 && isDestination(index, id)),
  'share between platforms': ({ facts }) => count(facts.appearances, ({ by }) => by.kind === 'share'),
  'list without lengths': withList(({ durations }) => durations === 'none'),
  'list with whole-second lengths': withList(({ durations }) => durations === 'seconds'),
  'list with whole-second times': withList(({ times }) => times === 'seconds'),
  'list that cuts texts': withList(({ cutTextAt }) => cutTextAt !== null),
  'list without files': withList(({ mode }) => mode === 'announce'),
  'source that is not listed': withList(({ mode }) => mode === 'own'),
  'late visibility': withList(({ visibleAfterMs }) => visibleAfterMs > 0),
  'video that does not fit': ({ facts }) =>
    count(facts.handPosts, ({ video }) => !video.isVertical || video.durationMs < 3000 || video.durationMs > 90_000),
  'post edited': ({ facts }) => count(facts.handPosts, ({ changes }) => changes.edits.length > 0),
  'post removed': ({ facts }) => count(facts.handPosts, ({ changes }) => changes.absent.length > 0),
  'post returned': ({ facts }) => count(facts.handPosts, ({ changes }) => changes.absent.some(({ to }) => to !== null)),
  'Reelay post removed at its platform': ({ facts }) =>
    count(
      facts.posts.flatMap(({ targets }) => targets),
      ({ changes }) => changes.absent.length > 0,
    ),
  'repost rejected': ({ facts }) =>
    count(
      facts.reposts.flatMap(({ targets }) => targets),
      ({ outcome }) => outcome.kind === 'rejected',
    ),
  'repost with unknown outcome': ({ facts }) =>
    count(
      facts.reposts.flatMap(({ targets }) => targets),
      ({ outcome }) => outcome.kind === 'unknown',
    ),
  'direct post failed': ({ facts }) =>
    count(
      facts.posts.flatMap(({ targets }) => targets),
      ({ outcome }) => outcome.kind === 'rejected' || outcome.kind === 'unknown',
    ),
  'repost removed by its user': ({ facts }) => count(facts.reposts, ({ removedAt }) => removedAt !== null),
  'repost withdrawn': ({ facts }) => count(facts.reposts, ({ withdrawnAt }) => withdrawnAt !== null),
  retry: ({ facts }) => facts.retries.length,
  'retry refused, place taken': ({ facts }) => count(facts.retries, ({ response }) => response === 'already_there'),
  'repost by hand': ({ facts }) => count(facts.handReposts, ({ response }) => response === 'accepted'),
  'repost by hand refused': ({ facts }) => count(facts.handReposts, ({ response }) => response === 'not_repostable'),
  'clock jump': ({ facts }) => facts.clockJumps.length,
  'retention jump of 90 days': ({ facts }) => count(facts.clockJumps, ({ byMs }) => byMs >= 90 * DAY_MS - HOUR_MS),
  outage: ({ facts }) => facts.outages.length,
  'source unreadable': ({ facts }) => count(facts.faults, ({ kind }) => kind === 'unreadable'),
  'download failed': ({ facts }) => count(facts.faults, ({ kind }) => kind === 'no_file'),
  'busy destination': (index) =>
    count(index.facts.identities, ({ id }) => isDestination(index, id) && index.itemsOn(id).length > NEWEST_POSTS),
  'limited plan': ({ facts }) => count(facts.users, ({ postsPerMonth }) => postsPerMonth !== null),
} as const satisfies Readonly<Record<string, Counter>>;

export type ConstellationName = keyof typeof COUNTERS;

/** The names of all constellations. */
export const CONSTELLATIONS = Object.keys(COUNTERS) as ConstellationName[];

/** How often each constellation occurs in the facts. */
export function countConstellations(facts: Facts): Record<ConstellationName, number> {
  const index = indexFacts(facts);
  const entries = CONSTELLATIONS.map((name): [ConstellationName, number] => [name, COUNTERS[name](index)]);
  return Object.fromEntries(entries) as Record<ConstellationName, number>;
}

/** Every reason of the activity and how often it occurs, for the same table. */
export function countReasons(facts: Facts): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { reason } of facts.activity) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
