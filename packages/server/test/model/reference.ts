/**
 * The reference model of reposting: a naive restatement of the rules' promises. It judges what platforms hold at the end
 * of a history. It knows when users changed rules and what really happened on platforms, and nothing of the service.
 */
import type { Appearance, Facts, Line, ModelRule } from './facts.ts';
import type { Place, User } from './history.ts';

type Sure = 'yes' | 'no' | 'maybe';
const DAY = 86_400_000;
/** Copies are recognized for 7 days; near that, either is right. */
const ECHO = { surely: 6 * DAY, perhaps: 8 * DAY };
/** Lists are read again so far back. */
const LATE = 40 * 3_600_000;

/** Whether a user may add a rule: no path leads back, and no edge exists twice. */
export function mayAdd(rules: readonly ModelRule[], user: User, from: Place, to: readonly Place[]): boolean {
  const mine = rules.filter((rule) => rule.user === user && rule.deletedAt === null);
  const reaches = (at: Place): boolean => at === from || mine.some((rule) => rule.from === at && rule.to.some(reaches));
  return !to.some(reaches) && !mine.some((rule) => rule.from === from && rule.to.some((each) => to.includes(each)));
}

/** @returns what contradicts the model, in words; empty if nothing does */
export function judge(facts: Facts): string[] {
  const { appearances, rules, lines } = facts;
  const findings: string[] = [];
  const say = (text: string) => findings.push(text);
  const on = (content: number, place: Place) => appearances.filter((a) => a.content === content && a.on === place);
  for (const a of appearances)
    if (on(a.content, a.on)[0] === a && on(a.content, a.on).length > 1)
      say(`content ${a.content} is on place ${a.on} ${on(a.content, a.on).length} times`);
  for (const a of appearances) if (a.isRepost && !isJustified(facts, a)) say(`no rule allows ${name(a)}`);
  findings.push(...broughtTwice(facts));
  for (const [index, rule] of rules.entries()) {
    const mine = lines.filter((line) => line.rule === index);
    for (const line of mine) {
      if (mine.find((other) => other.content === line.content) !== line)
        say(`rule ${index} decided about content ${line.content} twice`);
      const problem = problemOf(facts, rule, line);
      if (problem) say(`rule ${index}, content ${line.content}, ${line.state} (${line.reason}): ${problem}`);
      const day = (at: number | null) => Math.floor((at ?? 0) / DAY);
      const same = mine.filter((each) => each.state === 'reposted' && day(each.decidedAt) === day(line.decidedAt));
      if (line.state === 'reposted' && rule.perDay !== null && same.length > rule.perDay)
        say(`rule ${index} passed its limit of ${rule.perDay} a day`);
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

/** A repost needs a rule of its user, from a place where the content was while the rule was active. */
function isJustified({ rules, appearances }: Facts, repost: Appearance): boolean {
  return rules.some(
    (rule) =>
      rule.user === repost.by &&
      rule.to.includes(repost.on) &&
      appearances.some(
        (source) =>
          source.content === repost.content &&
          source.on === rule.from &&
          source !== repost &&
          source.isPublic &&
          source.at.min <= repost.at.max &&
          isActive(rule, source) !== 'no',
      ),
  );
}

/** Whether another post at the place shows the same. Edited texts may have been compared before or after. */
function isCopy(a: Appearance, b: Appearance, copy: 'surely' | 'perhaps'): boolean {
  if (a === b || a.content === b.content || a.on !== b.on) return false;
  const isSame = a.texts.some((text) => text !== '' && b.texts.includes(text));
  const isClear = copy === 'perhaps' || (a.texts.length === 1 && b.texts.length === 1);
  return isSame && isClear && Math.abs(a.at.max - b.at.max) < ECHO[copy];
}

/** Whether a place has, or may come to have, what one of these posts shows. */
function hasCopy({ appearances, failures }: Facts, sources: readonly Appearance[], place: Place): boolean {
  return (
    failures.some(({ on, mayBeThere }) => mayBeThere && on === place) ||
    sources.some((source) => appearances.some((a) => isCopy(a, { ...source, on: place }, 'perhaps')))
  );
}

/** Rules must not bring a text to a place twice. Where an account has it twice by hand, that is two contents. */
function broughtTwice({ appearances, failures }: Facts): string[] {
  const reposts = appearances.filter(({ isRepost }) => isRepost);
  return reposts.flatMap((a) => {
    const [text = ''] = a.texts;
    const others = appearances.filter(({ on, texts }) => on !== a.on && texts.includes(text)).map(({ on }) => on);
    const isCertain =
      new Set(others).size === others.length && !failures.some(({ on }) => [...others, a.on].includes(on));
    const again = reposts.find((b) => reposts.indexOf(b) > reposts.indexOf(a) && isCopy(a, b, 'surely'));
    return isCertain && again ? [`place ${a.on} got the contents ${a.content} and ${again.content} with one text`] : [];
  });
}

/** What is wrong about a line of activity. */
function problemOf(facts: Facts, rule: ModelRule, line: Line): string | null {
  const sources = facts.appearances.filter((a) => a.content === line.content && a.on === rule.from);
  if (sources.length === 0) return 'the content never was on the source';
  const active = sources.map((source) => isActive(rule, source));
  if (line.reason === 'posted_while_paused') return active.includes('yes') ? 'the rule was active' : null;
  if (!active.some((sure) => sure !== 'no')) return 'the rule was not active';
  if (line.state === 'waiting' && isOn(rule)) return 'it waits forever';
  const has = (content: number, place: Place) =>
    facts.appearances.some((a) => a.content === content && a.on === place) ||
    facts.failures.some((failed) => failed.mayBeThere && failed.content === content && failed.on === place);
  switch (line.state === 'skipped' ? line.reason : null) {
    case null:
      return line.state === 'reposted' ? echoed(facts, rule, line, sources) : null;
    case 'already_there':
      return rule.to.every((place) => has(line.content, place) || hasCopy(facts, sources, place))
        ? null
        : 'a destination lacks it';
    case 'echo':
      return mayBeEcho(facts, rule, line.content) ? null : 'nothing resembles it';
    case 'gone':
      return sources.some(({ removedAt }) => removedAt !== null) ? null : 'it is still there';
    case 'over_daily_limit':
      return rule.perDay === null ? 'the rule has no limit' : null;
    case 'source_private':
      return sources.some(({ isPublic }) => !isPublic) ? null : 'everybody may see it';
    default:
      return 'no reason to skip it';
  }
}

/**
 * A copy must not follow to a destination what was known to be there. Two posts on one account are never copies, so it
 * is certain only while the text was on each account once.
 */
function echoed(
  { appearances, failures, lines, rules }: Facts,
  rule: ModelRule,
  line: Line,
  sources: Appearance[],
): string | null {
  const reposts = appearances.filter((a) => a.content === line.content && a.isRepost && rule.to.includes(a.on));
  const isKnown = (old: Appearance) => old.knownAt !== null && old.knownAt < (line.decidedAt ?? 0);
  const [text = ''] = sources[0]?.texts ?? [];
  const withText = appearances.filter(({ texts }) => texts.includes(text));
  const isCertain = (repost: Appearance) => {
    const others = withText.filter((each) => each !== repost).map(({ on }) => on);
    return new Set(others).size === others.length && !failures.some(({ on }) => others.includes(on));
  };
  // Another rule may have brought it, too.
  const others = lines.filter((each) => each !== line && each.content === line.content && each.state === 'reposted');
  const isOurs = ({ on }: Appearance) => !others.some((each) => rules[each.rule]?.to.includes(on));
  const copies = reposts.filter(
    (repost) =>
      isOurs(repost) &&
      isCertain(repost) &&
      appearances.some((old) => isKnown(old) && !old.isRepost && isCopy(old, { ...repost, texts: [text] }, 'surely')),
  );
  return copies[0] ? `place ${copies[0].on} had a copy` : null;
}

/** Whether the content's text was on the source or all destinations in another post, or says nothing. */
function mayBeEcho({ appearances, failures }: Facts, rule: ModelRule, content: number): boolean {
  const source = appearances.find((a) => a.content === content && a.on === rule.from);
  if (!source) return false;
  if (source.texts.includes('') && failures.some(({ on }) => on === rule.from)) return true;
  const resembles = (place: Place) =>
    appearances.some((a) => isCopy(a, { ...source, on: place }, 'perhaps')) ||
    failures.some((each) => each.on === place);
  return [rule.from, ...rule.to].some(resembles);
}

const isOn = ({ deletedAt, active }: ModelRule) => deletedAt === null && active.at(-1)?.to === null;

/** What a rule that is on should have done about content on its source, and did not. */
function missed(facts: Facts, rule: ModelRule, index: number, source: Appearance): string[] {
  const { appearances, failures, lines } = facts;
  const isSure = isActive(rule, source) === 'yes' && isOn(rule) && source.at.min >= rule.addedAt;
  // Of our own posts we know at once; others must be found.
  const isFound = source.by === rule.user || (source.removedAt === null && source.visibleAt - source.at.min < LATE);
  const isKnown = source.by !== rule.user || source.knownAt !== null;
  if (!isSure || !isFound || !isKnown || !source.isPublic) return [];
  const line = lines.find((each) => each.rule === index && each.content === source.content);
  if (!line) return [`rule ${index} ignored ${name(source)}`];
  if (line.state !== 'reposted') return [];
  const lacks = rule.to.filter(
    (place) =>
      !appearances.some((a) => a.content === source.content && a.on === place) &&
      // A rule that made its repost does not decide again.
      !facts.withdrawn.some((each) => each.content === source.content && each.on === place) &&
      // What may be there, or may be a copy of what may be there, is not risked.
      !failures.some((failed) => failed.on === place && (failed.mayBeThere || failed.content === source.content)) &&
      !appearances.some((a) => isCopy(a, { ...source, on: place }, 'perhaps')),
  );
  return lacks.map((place) => `rule ${index} did not bring ${name(source)} to place ${place}`);
}
