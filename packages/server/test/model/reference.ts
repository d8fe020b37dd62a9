/**
 * The reference model of reposting: a naive restatement of the rules' promises. It judges what platforms hold at the end
 * of a history. It knows when users changed rules and what really happened on platforms, and nothing of the service.
 */
import { MINUTE } from '../../src/lib/time.ts';
import type { Appearance, Facts, Line, ModelRule } from './facts.ts';
import type { Place, User } from './history.ts';
import { passesFilters, pendingProblems, sourceProblems } from './promise-sources.ts';
import { limitOf, timeProblems, wasSelected } from './promise-times.ts';
import { isCopy, mayBeOne, type Seen, type SeenFacts, seenFacts } from './same-video.ts';

type Sure = 'yes' | 'no' | 'maybe';
/** Lists are read again so far back. */
const LATE = 40 * 3_600_000;

/** Whether a user may add a rule: no path leads back, and no edge exists twice. */
export function mayAdd(rules: readonly ModelRule[], user: User, from: Place, to: readonly Place[]): boolean {
  const mine = rules.filter((rule) => rule.user === user && rule.deletedAt === null);
  const reaches = (at: Place): boolean => at === from || mine.some((rule) => rule.from === at && rule.to.some(reaches));
  return !to.some(reaches) && !mine.some((rule) => rule.from === from && rule.to.some((each) => to.includes(each)));
}

/** @returns what contradicts the model, in words; empty if nothing does */
export function judge(given: Facts): string[] {
  const facts = seenFacts(given);
  const { appearances, rules, lines } = facts;
  const findings: string[] = [];
  const say = (text: string) => findings.push(text);
  const on = (content: number, place: Place) => appearances.filter((a) => a.content === content && a.on === place);
  for (const a of appearances)
    if (on(a.content, a.on)[0] === a && on(a.content, a.on).length > 1)
      say(`content ${a.content} is on place ${a.on} ${on(a.content, a.on).length} times`);
  for (const a of appearances) if (a.isRepost && !isJustified(facts, a)) say(`no rule allows ${name(a)}`);
  findings.push(...broughtTwice(facts), ...timeProblems(facts), ...sourceProblems(facts), ...pendingProblems(facts));
  for (const [index, rule] of rules.entries()) {
    const mine = lines.filter((line) => line.rule === index);
    for (const line of mine) {
      if (mine.find((other) => other.content === line.content) !== line)
        say(`rule ${index} decided about content ${line.content} twice`);
      const problem = problemOf(facts, rule, line);
      if (problem) say(`rule ${index}, content ${line.content}, ${line.state} (${line.reason}): ${problem}`);
    }
    for (const source of appearances.filter((a) => a.on === rule.from)) {
      for (const missing of missed(facts, rule, index, source)) say(missing);
    }
  }
  return [...new Set(findings)];
}

const name = (a: Appearance) => `content ${a.content} on place ${a.on} at ${a.at.max} by ${a.by}`;

function isActive({ active }: ModelRule, { at }: Appearance): Sure {
  const inside = (ms: number) => active.some(({ from, to }) => from <= ms && (to === null || ms < to));
  const crosses = active.some(({ from, to }) => from <= at.max && (to === null || at.min < to));
  if (!crosses) return 'no';
  const edge = active.some(
    ({ from, to }) => (at.min < from && from <= at.max) || (to !== null && at.min < to && to <= at.max),
  );
  return inside(at.min) && inside(at.max) && !edge ? 'yes' : 'maybe';
}

/** A repost needs a rule of its user, from a place where the content was while the rule was active, or was selected. */
function isJustified({ rules, appearances }: SeenFacts, repost: Seen): boolean {
  return rules.some(
    (rule) =>
      rule.user === repost.by &&
      [...rule.to, ...(rule.formerTo ?? [])].includes(repost.on) &&
      appearances.some(
        (source) =>
          source.content === repost.content &&
          source.on === rule.from &&
          source !== repost &&
          source.isPublic &&
          source.at.min <= repost.at.max &&
          (wasSelected(rule, source.content) ||
            (isActive(rule, source) !== 'no' && passesFilters(rule, source).perhaps)),
      ),
  );
}

/** Whether a place has, or may come to have, what one of these posts shows. */
function hasCopy(facts: SeenFacts, sources: readonly Seen[], place: Place): boolean {
  return (
    facts.failures.some(({ on, mayBeThere }) => mayBeThere && on === place) ||
    sources.some((source) => isCopied(facts, source, place))
  );
}

/** Whether another post at a place may be one with a source. */
function isCopied(facts: SeenFacts, source: Seen, place: Place): boolean {
  const contents = mayBeOne(facts, source.content);
  return facts.appearances.some((a) => a.on === place && a.content !== source.content && contents.has(a.content));
}

/** Rules must not bring a text to a place twice. Where an account has it twice by hand, that is two contents. */
function broughtTwice(facts: SeenFacts): string[] {
  const { appearances, failures, jump } = facts;
  const reposts = jump ? [] : appearances.filter(({ isRepost }) => isRepost);
  return reposts.flatMap((a) => {
    const alike = mayBeOne(facts, a.content);
    const others = appearances.filter(({ on, content }) => on !== a.on && alike.has(content)).map(({ on }) => on);
    const isCertain =
      new Set(others).size === others.length && !failures.some(({ on }) => [...others, a.on].includes(on));
    const again = reposts.find((b) => reposts.indexOf(b) > reposts.indexOf(a) && isCopy(facts, a, b, 'surely'));
    return isCertain && again ? [`place ${a.on} got the contents ${a.content} and ${again.content} with one text`] : [];
  });
}

/** What is wrong about a line of activity. */
function problemOf(facts: SeenFacts, rule: ModelRule, line: Line): string | null {
  const sources = facts.appearances.filter((a) => a.content === line.content && a.on === rule.from);
  if (sources.length === 0) return 'the content never was on the source';
  const active = sources.map((source) => isActive(rule, source));
  if (line.reason === 'posted_while_paused') return active.includes('yes') ? 'the rule was active' : null;
  const isSelected = wasSelected(rule, line.content);
  if (!isSelected && !active.some((sure) => sure !== 'no')) return 'the rule was not active';
  if (line.state === 'waiting' && isOn(rule)) return 'it waits forever';
  const has = (content: number, place: Place) =>
    facts.appearances.some((a) => a.content === content && a.on === place) ||
    facts.failures.some((failed) => failed.mayBeThere && failed.content === content && failed.on === place);
  if (line.state === 'reposted') return echoed(facts, rule, line, sources);
  switch (line.state === 'skipped' ? line.reason : null) {
    case null:
      return null;
    case 'already_there':
      return rule.to.every((place) => has(line.content, place) || hasCopy(facts, sources, place))
        ? null
        : 'a destination lacks it';
    case 'echo':
      return mayBeEcho(facts, rule, line.content) ? null : 'nothing resembles it';
    case 'gone':
      return sources.some(({ removedAt, wasAway }) => removedAt !== null || wasAway) ? null : 'it is still there';
    case 'over_daily_limit':
      return limitOf(rule) === null ? 'the rule has no limit' : null;
    case 'source_private':
      return sources.some(({ isPublic, isMixed }) => !isPublic || isMixed) ? null : 'everybody may see it';
    case 'no_file':
      return rule.wasBlind ? null : 'its file can be had';
    case 'filtered_word':
    case 'filtered_missing_word':
    case 'filtered_hashtag':
    case 'filtered_too_short':
    case 'filtered_too_long':
      // Which limits apply to a post that is selected while the rule acts on it is open.
      return (!isSelected || active.some((sure) => sure !== 'no')) &&
        sources.some((source) => !passesFilters(rule, source).surely)
        ? null
        : 'it passes the filters';
    default:
      return 'no reason to skip it';
  }
}

/**
 * A copy must not follow to a destination what was known, or shown, to be there. Two posts on one account are never
 * copies, so it is certain only while the text was on each account once.
 */
function echoed(facts: SeenFacts, rule: ModelRule, line: Line, sources: Seen[]): string | null {
  const { appearances, failures, lines, rules, jump } = facts;
  const decidedAt = line.decidedAt ?? 0;
  if (jump) return null;
  const reposts = appearances.filter((a) => a.content === line.content && a.isRepost && rule.to.includes(a.on));
  const isKnown = (old: Seen) => old.knownAt !== null && old.knownAt < decidedAt;
  const [text = ''] = sources[0]?.words ?? [];
  const alike = mayBeOne(facts, line.content);
  const isCertain = (repost: Seen) => {
    const others = appearances.filter((each) => each !== repost && alike.has(each.content)).map(({ on }) => on);
    return new Set(others).size === others.length && !failures.some(({ on }) => others.includes(on));
  };
  // Another rule may have brought it, too.
  const others = lines.filter((each) => each !== line && each.content === line.content && each.state === 'reposted');
  const isOurs = ({ on }: Seen) => !others.some((each) => rules[each.rule]?.to.includes(on));
  const copies = reposts.filter(
    (repost) =>
      isOurs(repost) &&
      isCertain(repost) &&
      appearances.some(
        (old) =>
          (isKnown(old) || isShown(facts, old, decidedAt)) &&
          !old.isRepost &&
          isCopy(facts, old, { ...repost, words: [text] }, 'surely', decidedAt),
      ),
  );
  return copies[0] ? `place ${copies[0].on} had a copy` : null;
}

/** Whether the first page of a place showed a post for a while before a decision, and it cannot have been taken for ours. */
function isShown({ appearances, lists, sends = [], failures }: SeenFacts, old: Seen, decidedAt: number): boolean {
  const newer = appearances.filter(
    (a) => a !== old && a.on === old.on && a.at.max >= old.at.min && a.visibleAt < decidedAt,
  );
  const isOpen = sends.some(
    ({ on, from, to }) => on === old.on && from <= decidedAt && (to === null || to >= old.visibleAt),
  );
  return (
    old.visibleAt < decidedAt - MINUTE &&
    old.removedAt === null &&
    !old.wasAway &&
    newer.length < (lists?.[old.on]?.newest ?? 0) &&
    !isOpen &&
    !failures.some(({ on }) => on === old.on)
  );
}

/** Whether the content's text was on the source or all destinations in another post, or says nothing. */
function mayBeEcho(facts: SeenFacts, rule: ModelRule, content: number): boolean {
  const { appearances, failures } = facts;
  const source = appearances.find((a) => a.content === content && a.on === rule.from);
  if (!source) return false;
  if (source.texts.includes('') && failures.some(({ on }) => on === rule.from)) return true;
  const resembles = (place: Place) => isCopied(facts, source, place) || failures.some((each) => each.on === place);
  return [rule.from, ...rule.to].some(resembles);
}

const isOwnFailure = ({ content, rule }: Facts['failures'][number], source: Seen, index: number) =>
  content === source.content && (rule ?? index) === index;

const isOn = ({ deletedAt, active }: ModelRule) => deletedAt === null && active.at(-1)?.to === null;

/** What a rule that is on should have done about content on its source, and did not. */
function missed(facts: SeenFacts, rule: ModelRule, index: number, source: Seen): string[] {
  const { appearances, failures, lines, jump } = facts;
  const isSure = isActive(rule, source) === 'yes' && isOn(rule) && source.at.min >= rule.addedAt;
  // Of our own posts we know at once; others must be found.
  const isListed =
    source.removedAt === null && !source.wasAway && source.visibleAt - source.at.min < LATE && !rule.wasBlind;
  const isFound = source.by === rule.user || isListed;
  const isKnown = source.by !== rule.user || source.knownAt !== null;
  const isOpen = source.isPublic && !source.isMixed && !(jump && source.at.min < jump.at);
  if (!isSure || !isFound || !isKnown || !isOpen) return [];
  const line = lines.find((each) => each.rule === index && each.content === source.content);
  // What is left out of a later selection no longer waits.
  if (!line) return wasSelected(rule, source.content) ? [] : [`rule ${index} ignored ${name(source)}`];
  if (line.state !== 'reposted') return [];
  // Nothing is added to a repost that its user removed.
  if (facts.removed?.some(({ content, rule: by }) => content === source.content && by === index)) return [];
  const lacks = rule.to.filter(
    (place) =>
      !appearances.some((a) => a.content === source.content && a.on === place) &&
      // What may be there, or may be a copy of what may be there, is not risked. A rule's own failure is not repeated.
      !failures.some((failed) => failed.on === place && (failed.mayBeThere || isOwnFailure(failed, source, index))) &&
      !isCopied(facts, source, place),
  );
  return lacks.map((place) => `rule ${index} did not bring ${name(source)} to place ${place}`);
}
