import type { OAuthFlow } from '../connectors/contract.ts';

/** What posting needs and was not granted. A platform that names no scopes is taken to have granted all. Pure. */
export function missingScopes(flow: Pick<OAuthFlow, 'scopes' | 'missingScopes'>, granted: readonly string[]): string[] {
  if (granted.length === 0) return [];
  return [...(flow.missingScopes?.(granted) ?? flow.scopes.filter((scope) => !granted.includes(scope)))];
}
