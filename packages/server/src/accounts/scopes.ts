import type { OAuthFlow } from '../connectors/contract.ts';
import { cleanText, TEXT_LIMITS } from '../text.ts';

/** What posting needs and was not granted. A platform that names no scopes is taken to have granted all. Pure. */
export function missingScopes(flow: Pick<OAuthFlow, 'scopes' | 'missingScopes'>, granted: readonly string[]): string[] {
  if (granted.length === 0) return [];
  return [...(flow.missingScopes?.(granted) ?? flow.scopes.filter((scope) => !granted.includes(scope)))];
}

const MAX_SCOPES = 100;

/** Granted scopes as they are stored: a server may say anything here. */
export function storedScopes(granted: readonly string[]): string[] {
  return granted.slice(0, MAX_SCOPES).map((scope) => cleanText(scope, TEXT_LIMITS.name));
}
