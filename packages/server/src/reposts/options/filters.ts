/** Decides whether content passes the filters of a rule. Pure. */
import { SECOND } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { say } from '../../messages/rules.ts';
import { clustersOf, tokensOf } from './caption-tokens.ts';
import { foldCase } from './case-folding.ts';
import type { Filters } from './rule-options.ts';

export interface FilteredContent {
  caption: string;
  /** null if unknown; then the limits of the duration are not applied. */
  durationMs: number | null;
}

/** @returns why the content is not reposted; null if it passes */
export function filterProblem(filters: Filters, content: FilteredContent): Message | null {
  return captionProblem(filters, content.caption) ?? durationProblem(filters, content.durationMs);
}

function captionProblem({ contains, excludes, hashtags }: Filters, caption: string): Message | null {
  const folded = foldCase(caption);
  const isIn = (word: string) => folded.includes(foldCase(word));
  const excluded = excludes.find(isIn);
  if (excluded !== undefined) return say('filtered_word', { word: excluded });
  if (contains.length > 0 && !contains.some(isIn)) return say('filtered_missing_word', { words: quoted(contains) });
  if (hashtags.length === 0) return null;
  const tags = new Set(hashtagsOf(caption).map(foldCase));
  const wanted = hashtags.map((tag) => `#${tag.replace(/^[#＃]/, '')}`);
  if (wanted.some((tag) => tags.has(foldCase(tag)))) return null;
  return say('filtered_hashtag', { hashtags: wanted.join(', ') });
}

const quoted = (words: readonly string[]) => words.map((word) => `“${word}”`).join(', ');

function durationProblem({ minSeconds, maxSeconds }: Filters, durationMs: number | null): Message | null {
  if (durationMs === null) return null;
  const seconds = durationMs / SECOND;
  if (minSeconds !== null && seconds < minSeconds) return say('filtered_too_short', { seconds, limit: minSeconds });
  if (maxSeconds !== null && seconds > maxSeconds) return say('filtered_too_long', { seconds, limit: maxSeconds });
  return null;
}

/** The hashtags of a caption with `#`, in order, as written. */
function hashtagsOf(caption: string): string[] {
  return tokensOf(clustersOf(caption)).flatMap(({ kind, text }) => (kind === 'hashtag' ? [text] : []));
}
