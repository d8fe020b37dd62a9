/** The fixes that a user can apply after a check. Pure. */
import type { PostCheck } from '@reelay/sdk';

export type Verdict = PostCheck['result'][number];

export type Repair = 'shorten' | 'options' | 'reconnect' | 'deselect';

const REPAIRS: Readonly<Record<string, Repair>> = {
  caption_too_long: 'shorten',
  setup_needed: 'options',
  invalid_request: 'options',
  platform_not_connected: 'reconnect',
  reconnect_required: 'reconnect',
  permission_missing: 'reconnect',
};

/** The fixes for an account, without duplicates. An account that blocks the post can always be deselected. */
export function repairsOf({ outcome, reasons }: Pick<Verdict, 'outcome' | 'reasons'>): Repair[] {
  const known = reasons.flatMap(({ code }) => (Object.hasOwn(REPAIRS, code) ? (REPAIRS[code] ?? []) : []));
  const isHopeless = outcome === 'refused' || outcome === 'fails';
  return [...new Set<Repair>([...known, ...(isHopeless ? (['deselect'] as const) : [])])];
}

/** Code of the reason that a video is converted. It needs nothing of the user. */
const CONVERTED = 'converted';

export interface Judged {
  /** Those that tell the user something else. */
  others: Verdict[];
  /** Those whose video is converted, with what is converted. */
  converted: Verdict[];
}

/** Separates conversions, which are no problem, from everything else. */
export function separateConversions(verdicts: readonly Verdict[]): Judged {
  const isConversion = ({ code }: Verdict['reasons'][number]) => code === CONVERTED;
  return {
    others: verdicts.map((verdict) => ({
      ...verdict,
      outcome: verdict.outcome === CONVERTED ? 'fits' : verdict.outcome,
      reasons: verdict.reasons.filter((reason) => !isConversion(reason)),
    })),
    converted: verdicts
      .map((verdict) => ({ ...verdict, reasons: verdict.reasons.filter(isConversion) }))
      .filter(({ outcome, reasons }) => reasons.length > 0 && outcome !== 'refused' && outcome !== 'fails'),
  };
}

const ORDER: readonly Verdict['outcome'][] = ['refused', 'fails', 'waits', 'converted', 'fits'];

/**
 * The verdicts that have reasons, worst first.
 * @param asking accounts with open questions; for them, a missing setting is not reported again
 */
export function worstFirst(verdicts: readonly Verdict[], asking: ReadonlySet<string>): Verdict[] {
  const isNews = (verdict: Verdict) =>
    !asking.has(verdict.platformId) || verdict.reasons.some(({ code }) => code !== 'setup_needed');
  return verdicts
    .filter((verdict) => verdict.reasons.length > 0 && isNews(verdict))
    .sort((one, other) => ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome));
}
