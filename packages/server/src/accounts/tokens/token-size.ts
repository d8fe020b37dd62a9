/** Limits of what a token endpoint returns: a user's own server may return anything. */
import type { JsonObject, Tokens } from '../../connectors/contract.ts';
import { TEXT_LIMITS } from '../../lib/text.ts';
import { say } from '../../messages/timeline.ts';
import { PlatformError } from '../../outbound/platform-error.ts';

/** Of one token, in UTF-16 units. Tokens of the platforms have at most 4,000. */
const MAX_TOKEN = 16 * 1024;
/** Of all stored values together, as JSON. One consent may have tokens of a thousand pages. */
const MAX_SECRET = 512 * 1024;

/**
 * Checks tokens before anything of them is stored. Nothing is cut, because a part of a token is useless.
 * @param name the platform's
 * @throws PlatformError `transient` if a value is too long
 */
export function assertTokenSize(name: string, { secret, service }: Pick<Tokens, 'secret' | 'service'>): void {
  if (areShort(secret) && JSON.stringify(secret).length <= MAX_SECRET && service.length <= TEXT_LIMITS.url) return;
  throw new PlatformError({ kind: 'transient', detail: say('token_too_long', { platform: name }) });
}

function areShort(values: JsonObject): boolean {
  return Object.entries(values).every(([name, value]) => {
    if (name.length > MAX_TOKEN) return false;
    if (typeof value === 'string') return value.length <= MAX_TOKEN;
    return typeof value !== 'object' || value === null || areShort(value as JsonObject);
  });
}
