/** What a platform says of an account, as the database can take it: the names of federated servers have no length of their own. */
import type { AccountFacts } from '../connectors/contract.ts';
import { PlatformError } from '../connectors/kit/failure.ts';
import { cleanText, storableJson, TEXT_LIMITS, wholeOrNull } from '../text.ts';

/** Longest JSON of what an account may choose from and of what publishing has to know of it, in UTF-16 units. */
const MAX_JSON = 1024 * 1024;

/** @throws PlatformError where the id of the account, its server, or all that belongs to it is too long to be kept */
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
