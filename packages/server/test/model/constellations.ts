/** Counts which constellations occur in a history, for a table of how often the generator produced each. */
import type { StoredOptions } from '../../src/reposts/options/rule-options.ts';
import type { Facts, ModelRule } from './facts.ts';
import type { Command, History } from './history.ts';

/** What a history and its result are searched for. */
interface Searched {
  facts: Facts;
  has(matches: (command: Command) => boolean): boolean;
}

const someRule = (matches: (rule: ModelRule) => unknown) => (searched: Searched) => searched.facts.rules.some(matches);

const option = (matches: (options: StoredOptions) => unknown) => someRule(({ options }) => options && matches(options));

const skipped =
  (...reasons: string[]) =>
  ({ facts }: Searched) =>
    [...facts.lines, ...(facts.jump?.lines ?? [])].some(
      ({ state, reason }) => state === 'skipped' && reasons.includes(reason ?? ''),
    );

const command =
  <Name extends Command['do']>(name: Name, matches: (each: Extract<Command, { do: Name }>) => unknown = () => true) =>
  ({ has }: Searched) =>
    has((each) => each.do === name && Boolean(matches(each as Extract<Command, { do: Name }>)));

const access = (is: 'expired' | 'disconnected') => command('account', (each) => each.is === is);

const CONSTELLATIONS: Readonly<Record<string, (searched: Searched) => boolean>> = {
  'rules of two users on one source': ({ facts }) =>
    facts.rules.some((rule) => facts.rules.some((each) => each.user !== rule.user && each.from === rule.from)),
  'a found post that another user made through Reelay': ({ facts }) =>
    facts.lines.some(({ rule, content }) =>
      facts.appearances.some((a) => a.content === content && a.by === 1 - (facts.rules[rule]?.user ?? 0)),
    ),
  'access expired': access('expired'),
  'account disconnected': access('disconnected'),
  'access returned': ({ has }) =>
    has((each) => each.do === 'account' && each.is !== 'connected') &&
    has((each) => each.do === 'account' && each.is === 'connected'),
  'a rule lost a destination': someRule(({ formerTo }) => formerTo),
  'captions of their own': command('post', ({ captions }) => captions),
  'few can see an own post': command('post', ({ few }) => few),
  'few can see what an account posts': command('audience', ({ few }) => few),
  'few can see a found post': command('phone', ({ isPrivate }) => isPrivate),
  'a post is hidden': command('hide'),
  'a hidden post becomes public': command('reveal'),
  'option delayMinutes': option(({ delayMinutes }) => delayMinutes),
  'option jitterMinutes': option(({ jitterMinutes }) => jitterMinutes),
  'option quietHours': option(({ quietHours }) => quietHours),
  'option maxPerDay': option(({ maxPerDay }) => maxPerDay),
  'option zone': option(({ zone }) => zone),
  'option privacy': option(({ privacy }) => privacy),
  'option caption.template': option(({ caption }) => caption?.template),
  'option caption.append': option(({ caption }) => caption?.append),
  'option caption.removeMentions': option(({ caption }) => caption?.removeMentions),
  'option caption.removeHashtags': option(({ caption }) => caption?.removeHashtags),
  'option filters.contains': option(({ filters }) => filters?.contains),
  'option filters.excludes': option(({ filters }) => filters?.excludes),
  'option filters.hashtags': option(({ filters }) => filters?.hashtags),
  'option filters.minSeconds': option(({ filters }) => filters?.minSeconds),
  'option filters.maxSeconds': option(({ filters }) => filters?.maxSeconds),
  'option fit': option(({ fit }) => fit),
  'option backCatalog': someRule(({ selections = [] }) => selections.some(({ contents }) => contents.length > 1)),
  'order of a selection changed': someRule(
    ({ selections = [] }) =>
      new Set(selections.filter(({ contents }) => contents.length > 1).map(({ order }) => order)).size > 1,
  ),
  'two sources of one video, equal in length': (searched) => twoSources(searched, true),
  'two sources of one caption, different in length': (searched) => twoSources(searched, false),
  'a platform shares a post': ({ has, facts }) =>
    has((each) => each.do === 'share') && facts.appearances.some((a) => a.by === 'phone' && isShare(facts, a)),
  'a source without lengths': ({ facts }) => sourceWith(facts, 'none'),
  'a source with whole seconds': ({ facts }) => sourceWith(facts, 'seconds'),
  'visible late': command('phone', ({ hidden }) => hidden),
  'a post is removed': command('remove'),
  'a removed post returns': ({ facts }) => facts.appearances.some(({ wasAway }) => wasAway),
  'two checks miss a post': ({ facts }) => facts.appearances.some(({ missedAt }) => missedAt),
  'a repost fails': ({ facts }) => facts.failures.some((each) => isReposted(facts, each)),
  'the outcome of a send stays unknown': ({ facts }) => facts.failures.some(({ mayBeThere }) => mayBeThere),
  'a post may be that of an open send': ({ facts }) => (facts.pending ?? []).length > 0,
  'a repost is withdrawn with its rule': ({ facts }) => facts.withdrawn.length > 0,
  'a repost is extended': ({ facts: { appearances } }) =>
    appearances.some(({ content, made }) =>
      appearances.some((a) => made && a.content === content && a.made?.rule === made.rule && a.made.at !== made.at),
    ),
  'the clock jumps over the retention': ({ facts }) => Boolean(facts.jump),
  'a destination is busy': ({ facts, has }) =>
    has((each) => each.do === 'burst' && facts.rules.some(({ to }) => to.includes(each.on))),
  'skipped: echo': skipped('echo'),
  'skipped: already_there': skipped('already_there'),
  'skipped: gone': skipped('gone'),
  'skipped: source_private': skipped('source_private'),
  'skipped: posted_while_paused': skipped('posted_while_paused'),
  'skipped: over_daily_limit': skipped('over_daily_limit'),
  'skipped by a filter of words': skipped('filtered_word', 'filtered_missing_word', 'filtered_hashtag'),
  'skipped by a filter of lengths': skipped('filtered_too_short', 'filtered_too_long'),
};

const sourceWith = ({ rules, lists }: Facts, lengths: 'seconds' | 'none') =>
  rules.some(({ from }) => lists?.[from]?.lengths === lengths);

const isReposted = ({ appearances, lines }: Facts, { content, on }: { content: number; on: number }) =>
  appearances.every((a) => a.content !== content || a.on !== on) &&
  lines.some((line) => line.content === content && line.state === 'reposted');

const isShare = ({ appearances }: Facts, { texts, visibleAt, content }: Facts['appearances'][number]) =>
  appearances.some((a) => a.content !== content && a.texts[0] === texts[0] && a.visibleAt === visibleAt);

function twoSources({ facts: { rules, appearances } }: Searched, isSame: boolean): boolean {
  const roots = appearances.filter(({ isRepost, texts }) => !isRepost && texts[0] !== '');
  const isPair = (a: (typeof roots)[number], b: (typeof roots)[number]) =>
    a.on !== b.on &&
    a.content !== b.content &&
    a.texts[0] === b.texts[0] &&
    Math.abs((a.lengthMs ?? 0) - (b.lengthMs ?? 0)) <= 500 === isSame &&
    rules.some(
      (one) => one.from === a.on && rules.some((two) => two.from === b.on && two.to.some((to) => one.to.includes(to))),
    );
  return roots.some((a, index) => roots.slice(index + 1).some((b) => isPair(a, b)));
}

/** @returns 1 for each constellation that occurs, by its name; else 0 */
export function countConstellations(facts: Facts, history: History): Record<string, number> {
  const searched = { facts, has: (matches: (each: Command) => boolean) => history.some(matches) };
  return Object.fromEntries(Object.entries(CONSTELLATIONS).map(([name, occurs]) => [name, occurs(searched) ? 1 : 0]));
}
