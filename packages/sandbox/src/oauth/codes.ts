/** Authorization codes: records of kind `code`, keyed by code. */
import { createHash } from 'node:crypto';
import type { SimulatorOptions, SimulatorStore } from '../contract.ts';

/** What every platform stores with a code, besides the account and the scopes. */
export interface CodeRecord {
  redirectUri: string;
  /** ms since the epoch */
  expiresAt: number;
  used: boolean;
}

/**
 * Stores a code.
 * @param lifeMs lifetime @param granted what it is exchanged for @param owner groups the codes of an account
 * @returns the code
 */
export async function addCode<Code extends CodeRecord>(
  { store, now }: SimulatorOptions,
  code: string,
  lifeMs: number,
  granted: Omit<Code, 'expiresAt' | 'used'>,
  owner?: string,
): Promise<string> {
  await store.put('code', code, { ...granted, expiresAt: now() + lifeMs, used: false }, owner);
  return code;
}

/**
 * Marks a code as used. Of concurrent requests, only the first gets the code.
 * @param fits further conditions; a code that does not fit stays unused
 * @returns null if the code is unknown, used, or does not fit
 */
export async function claimCode<Code extends CodeRecord>(
  store: SimulatorStore,
  code: string,
  fits: (code: Code) => boolean = () => true,
): Promise<Code | null> {
  let claimed: Code | null = null;
  await store.change<Code>('code', code, (current) => {
    claimed = current && !current.used && fits(current) ? current : null;
    return claimed ? { ...claimed, used: true } : undefined;
  });
  return claimed;
}

/** Like {@link claimCode}, for platforms that do not tell an expired code from one of another redirect URI. */
export function claimValidCode<Code extends CodeRecord>(
  { store, now }: SimulatorOptions,
  code: string,
  redirectUri: string,
): Promise<Code | null> {
  return claimCode<Code>(store, code, (found) => found.expiresAt > now() && found.redirectUri === redirectUri);
}

/** Whether a PKCE verifier has the form that RFC 7636 requires. */
export function isVerifier(verifier: string | null): verifier is string {
  return /^[A-Za-z0-9\-._~]{43,128}$/.test(verifier ?? '');
}

/** The S256 challenge of a PKCE verifier (RFC 7636). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}
