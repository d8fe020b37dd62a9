/** Sanitizes account facts from a platform for storage: federated servers do not limit the length of names. */
import type { AccountFacts } from '../connectors/contract.ts';
import { PlatformError } from '../connectors/kit/failure.ts';
import { cleanText, storableJson, TEXT_LIMITS, wholeOrNull } from '../text.ts';

/** Maximum length of the JSON of `choices` and `extra` together, in UTF-16 code units. */
const MAX_JSON = 1024 * 1024;

/** @throws PlatformError if the account's id or server, or `choices` and `extra` together, are too long to store */
export function storedFacts(facts: AccountFacts): AccountFacts {
  const remoteId = wholeOrNull(facts.remoteId, TEXT_LIMITS.remoteId);
  const service = facts.service === undefined ? undefined : wholeOrNull(facts.service, TEXT_LIMITS.remoteId);
  const extra = storableJson(facts.extra ?? {}) as AccountFacts['extra'];
  const choices = storableJson(facts.choices) as AccountFacts['choices'];
  if (remoteId === null || service === null || size(extra) + size(choices) > MAX_JSON)
    throw new PlatformError({ kind: 'setup', detail: 'The server describes this account with more than can be kept.' });
  return {
    ...facts,
    remoteId,
    username: cleanText(facts.username, TEXT_LIMITS.name),
    displayName: cleanText(facts.displayName, TEXT_LIMITS.name),
    avatarUrl: wholeOrNull(facts.avatarUrl, TEXT_LIMITS.url) ?? '',
    extra,
    ...(choices === undefined ? {} : { choices }),
    ...(service === undefined ? {} : { service }),
  };
}

function size(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}
