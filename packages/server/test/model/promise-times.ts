/** Promises about times: delays, quiet hours, daily limits, and older posts that the user selected. */
import { DAY, MINUTE } from '../../src/lib/time.ts';
import type { Line, ModelRule } from './facts.ts';
import type { Seen, SeenFacts } from './same-video.ts';

export function timeProblems(facts: SeenFacts): string[] {
  const reposts = facts.appearances.filter(({ made }) => made !== undefined);
  return [
    ...reposts.flatMap((repost) => repostProblem(facts, repost) ?? []),
    ...facts.rules.flatMap((rule, index) => {
      const mine = facts.lines.filter((line) => line.rule === index && line.state === 'reposted');
      return [...limitProblems(rule, index, mine), ...selectionProblems(facts, rule, index, mine)];
    }),
  ];
}

function repostProblem({ rules, appearances }: SeenFacts, { made, content, on }: Seen): string | null {
  const rule = made && rules[made.rule];
  if (!rule) return null;
  const { delayMinutes = 0, quietHours } = rule.options ?? {};
  const sources = appearances.filter((a) => a.content === content && a.on === rule.from);
  const isEarly = sources.every(({ at }) => made.at < at.min + delayMinutes * MINUTE);
  if (isEarly && !wasSelected(rule, content)) return `content ${content} was too early on place ${on}`;
  if (!quietHours) return null;
  const time = localTime(made.at, quietHours.zone ?? 'UTC');
  const isQuiet = quietHours.from <= time && time < quietHours.to;
  return isQuiet ? `content ${content} was reposted to place ${on} in quiet hours` : null;
}

/** Posts of a selection have limits of their own. */
function limitProblems(rule: ModelRule, index: number, reposted: readonly Line[]): string[] {
  const limit = limitOf(rule);
  const counted = reposted.filter(({ content }) => !wasSelected(rule, content));
  const days = counted.map(({ decidedAt }) => localDay(decidedAt ?? 0, rule.options?.zone ?? 'UTC'));
  const isOver = limit !== null && days.some((day) => days.filter((each) => each === day).length > limit);
  return isOver ? [`rule ${index} passed its limit of ${limit} a day`] : [];
}

export const limitOf = ({ perDay, options }: ModelRule) => perDay ?? options?.maxPerDay ?? null;

export const wasSelected = ({ selections = [] }: ModelRule, content: number) =>
  selections.some(({ contents }) => contents.includes(content));

/** The last selection decides the order of what still waited then; no two are nearer than a pace allows. */
function selectionProblems(facts: SeenFacts, rule: ModelRule, index: number, reposted: readonly Line[]): string[] {
  const last = rule.selections?.at(-1);
  if (!last || rule.wasBlind) return [];
  const sourceOf = (content: number) => facts.appearances.find((a) => a.content === content && a.on === rule.from);
  const done = reposted
    .filter(({ content, decidedAt }) => last.contents.includes(content) && (decidedAt ?? 0) > last.at)
    .filter(({ content }) => isSteady(facts, rule, sourceOf(content)))
    .sort((a, b) => (a.decidedAt ?? 0) - (b.decidedAt ?? 0));
  const problems: string[] = [];
  for (const [place, line] of done.entries()) {
    const next = done[place + 1];
    const [a, b] = [sourceOf(line.content), next && sourceOf(next.content)];
    if (!a || !b || !next) continue;
    const isRight = last.order === 'oldest' ? a.at.min <= b.at.max : a.at.max >= b.at.min;
    if (!isRight) problems.push(`rule ${index} reposted contents ${a.content} and ${b.content} in the wrong order`);
    if ((next.decidedAt ?? 0) - (line.decidedAt ?? 0) < DAY / last.perDay)
      problems.push(`rule ${index} reposted contents ${a.content} and ${b.content} too soon after each other`);
  }
  return problems;
}

/** Whether nothing made a post wait, or be decided about again, but its turn. */
function isSteady({ appearances, failures, withdrawn }: SeenFacts, rule: ModelRule, source: Seen | undefined): boolean {
  // What the rule reposts without the selection has its own times.
  if (!source || source.at.max >= rule.addedAt || source.removedAt !== null || source.wasAway || source.isMixed)
    return false;
  const isNamed = ({ content }: { content: number }) => content === source.content;
  const isAlone = appearances.every((a) => isNamed(a) || !a.words.some((text) => source.words.includes(text)));
  return isAlone && !failures.some(isNamed) && !withdrawn.some(isNamed);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function localParts(at: number, zone: string): Record<string, string> {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' });
  formats.set(zone, format);
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
}

function localTime(at: number, zone: string): string {
  const { hour, minute } = localParts(at, zone);
  return `${hour}:${minute}`;
}

function localDay(at: number, zone: string): string {
  const { year, month, day } = localParts(at, zone);
  return `${year}-${month}-${day}`;
}
