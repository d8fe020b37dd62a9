/** Decides whether a drawn arrow can add a rule. Pure. */
import type { Platform } from '@reelay/sdk';
import { accountLabel } from '../account-label.ts';
import { type Arrow, arrowsAlong, type Refusal, refusalOf } from './graph.ts';

export type Verdict = Refusal | { kind: 'disconnected'; account: string };

/** Why a rule from one account to another cannot be added; null if it can. */
export function verdictOf(
  accounts: readonly Pick<Platform, 'id' | 'status'>[],
  arrows: readonly Arrow[],
  from: string,
  to: string,
): Verdict | null {
  const refusal = refusalOf(arrows, from, to);
  if (refusal) return refusal;
  const broken = [from, to].find((id) => accounts.some((each) => each.id === id && each.status !== 'CONNECTED'));
  return broken ? { kind: 'disconnected', account: broken } : null;
}

export interface Highlight {
  accounts: ReadonlySet<string>;
  arrows: ReadonlySet<string>;
}

/** The loop that a refused arrow would close; empty for other refusals. */
export function highlightOf(verdict: Verdict | null, arrows: readonly Arrow[]): Highlight {
  if (verdict?.kind !== 'loop') return { accounts: new Set(), arrows: new Set() };
  return { accounts: new Set(verdict.path), arrows: arrowsAlong(arrows, verdict.path) };
}

/** The loop in words: "A → B → C → A". */
export function pathInWords(accounts: readonly Platform[], path: readonly string[]): string {
  const names = new Map(accounts.map((account) => [account.id, accountLabel(account)]));
  return path.map((id) => names.get(id) ?? id).join(' → ');
}
