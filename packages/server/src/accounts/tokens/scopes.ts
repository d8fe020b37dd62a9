import type { OAuthFlow } from '../../connectors/contract.ts';
import { cleanText, TEXT_LIMITS } from '../../lib/text.ts';

/** Returns the required scopes that were not granted. If the platform lists no scopes, all count as granted. Pure. */
export function missingScopes(flow: Pick<OAuthFlow, 'scopes' | 'missingScopes'>, granted: readonly string[]): string[] {
  if (granted.length === 0) return [];
  return [...(flow.missingScopes?.(granted) ?? flow.scopes.filter((scope) => !granted.includes(scope)))];
}

const MAX_SCOPES = 100;

/** Sanitizes granted scopes for storage, because a server may return anything. */
export function storedScopes(granted: readonly string[]): string[] {
  return granted.slice(0, MAX_SCOPES).map((scope) => cleanText(scope, TEXT_LIMITS.name));
}
