/** Limits texts of targets and timelines to what the database accepts. */
import type { Published } from '../connectors/contract.ts';
import { cleanText, TEXT_LIMITS, webUrl, wholeOrNull } from '../lib/text.ts';
import { storedMessage } from '../messages/stored.ts';
import type { Target, TimelineEntry, Trouble } from './target.ts';

/**
 * Detail, code, id and URL of a target. An id or URL that is too long or contains control characters is dropped, because
 * changed, it would identify another post. So is an address that is not of the web.
 */
export function storedTexts({
  detail,
  platformCode,
  remoteId,
  url,
}: Pick<Target, 'detail' | 'platformCode' | 'remoteId' | 'url'>) {
  return {
    detail: detail === null ? null : cleanText(detail, TEXT_LIMITS.sentence),
    platformCode: storedCode(platformCode),
    remoteId: wholeOrNull(remoteId, TEXT_LIMITS.remoteId),
    url: webUrl(url),
  };
}

/** Same for a published post, with its publish time. */
export function storedPublished({ detail, remoteId, url, publishedAt }: Published) {
  return {
    ...storedTexts({ detail: detail ?? null, platformCode: null, remoteId, url }),
    publishedAt: storedMoment(publishedAt),
  };
}

/** End of the year 9999, in ms since the epoch. */
const LAST_MOMENT = 253_402_300_799_999;

/** Returns a time the database can store; null for any other value a platform reports. @param ms since the epoch */
export function storedMoment(ms: number | null): number | null {
  return ms !== null && ms >= 0 && ms <= LAST_MOMENT ? ms : null;
}

/** Trouble as the database can store it. */
export function storedTrouble(trouble: Trouble | null): Trouble | null {
  if (trouble === null) return null;
  const { reason, platformCode } = trouble;
  return { ...trouble, reason: storedMessage(reason), platformCode: storedCode(platformCode) };
}

/** A timeline line: the code and parameters of its message, without the text. */
export function storedEntry({ event, message, platformCode }: TimelineEntry) {
  const { code, params } = storedMessage(message);
  return { event, code, params: JSON.stringify(params), platformCode: storedCode(platformCode) };
}

function storedCode(code: string | null | undefined): string | null {
  return cleanText(code ?? '', TEXT_LIMITS.code) || null;
}
