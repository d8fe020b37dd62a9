/** Promises about what a repost takes from its source: its caption, its audience, and whether it is still there. */
import type { Line, ModelRule } from './facts.ts';
import { wasSelected } from './promise-times.ts';
import type { Seen, SeenFacts } from './same-video.ts';

export function sourceProblems(facts: SeenFacts): string[] {
  return facts.appearances.flatMap((repost) => {
    const rule = repost.made && facts.rules[repost.made.rule];
    if (!rule) return [];
    const sources = facts.appearances.filter((a) => a.content === repost.content && a.on === rule.from);
    const problem =
      textProblem(rule, repost, sources) ?? goneProblem(repost, sources) ?? ageProblem(facts, rule, repost);
    return problem ? [`content ${repost.content} on place ${repost.on}: ${problem}`] : [];
  });
}

/** The caption is the one of the source, changed as the rule says. */
function textProblem({ options }: ModelRule, { texts }: Seen, sources: readonly Seen[]): string | null {
  const { template = '{caption}', append = '', removeMentions, removeHashtags } = options?.caption ?? {};
  const expected = sources
    .flatMap((source) => source.texts)
    .map((text) => {
      const kept = text.replace(removeMentions ? /@\w+/g : /$^/g, '').replace(removeHashtags ? /#\w+/g : /$^/g, '');
      return `${(template ?? '').replace('{caption}', kept).replace('{source}', '@source')} ${append}`;
    });
  const words = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');
  const isRight = expected.some((text) => words(text) === words(texts[0] ?? ''));
  return isRight ? null : `its caption is "${texts[0]}", not "${expected[0]}"`;
}

/** What two checks of the source no longer found is not reposted. */
function goneProblem({ made }: Seen, sources: readonly Seen[]): string | null {
  const isGone = sources.every(({ missedAt }) => missedAt && made && made.at > missedAt);
  return isGone ? 'its source was gone' : null;
}

/** Content older than 89 days is ignored, but what waits keeps waiting. */
function ageProblem({ jump, appearances }: SeenFacts, rule: ModelRule, { made, content, on }: Seen): string | null {
  if (!jump || !made || made.at < jump.at || wasSelected(rule, content)) return null;
  const isOld = appearances.every((a) => a.content !== content || a.on !== rule.from || a.at.max < jump.at);
  const waited = (line: Line) => line.rule === made.rule && line.content === content && line.state === 'waiting';
  return isOld && !jump.lines.some(waited) && on !== rule.from ? 'it was too old' : null;
}

/** Whether some caption of a post, or its length, may keep it from a rule, or let it pass. */
export function passesFilters(
  { options }: ModelRule,
  { texts, lengthMs = 0 }: Seen,
): { perhaps: boolean; surely: boolean } {
  const { contains, excludes, hashtags, minSeconds, maxSeconds } = options?.filters ?? {};
  const has = (text: string, words: readonly string[] | null | undefined, before = '') =>
    words?.some((word) => text.toLowerCase().includes(before + word)) ?? false;
  const passes = (text: string) =>
    !has(text, excludes) && (!contains || has(text, contains)) && (!hashtags || has(text, hashtags, '#'));
  const isLong = (minSeconds ?? 0) * 1_000 <= lengthMs && lengthMs <= (maxSeconds ?? 1_000) * 1_000;
  // Limits of an unknown length do not apply.
  return { perhaps: texts.some(passes), surely: texts.every(passes) && isLong };
}

/** A found post is held only if a send whose outcome is unknown may have made it. */
export function pendingProblems({ pending = [], sends = [] }: SeenFacts): string[] {
  return pending
    .filter(({ on, texts, at }) => {
      const mayBe = (sent: string) => texts.some((text) => text.includes(sent) || sent.includes(text));
      return !sends.some(
        (send) => send.on === on && send.from <= at && (send.to === null || at <= send.to) && mayBe(send.text),
      );
    })
    .map(({ on, texts }) => `"${texts[0]}" on place ${on} waits for a post with another text`);
}
