/** The last gate before a row: texts of a target and of its timeline, as the database can take them. */
import type { Published } from '../connectors/contract.ts';
import { cleanText, TEXT_LIMITS, wholeOrNull } from '../text.ts';
import type { Target, TimelineEntry } from './target.ts';

/** Detail, code, id and address of a target. An id or address that does not fit is left out: cut, it would name another post. */
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
    url: wholeOrNull(url, TEXT_LIMITS.url),
  };
}

/** The same, and the moment, of what a platform says that it published. */
export function storedPublished({ detail, remoteId, url, publishedAt }: Published) {
  return {
    ...storedTexts({ detail: detail ?? null, platformCode: null, remoteId, url }),
    publishedAt: storedMoment(publishedAt),
  };
}

/** The end of the year 9999, ms since the epoch. */
const LAST_MOMENT = 253_402_300_799_999;

/** A moment that the database can hold; null for any other, whatever a platform says. @param ms since the epoch */
export function storedMoment(ms: number | null): number | null {
  return ms !== null && ms >= 0 && ms <= LAST_MOMENT ? ms : null;
}

/** A line of the timeline. */
export function storedEntry({ event, text, platformCode }: TimelineEntry) {
  return { event, text: cleanText(text, TEXT_LIMITS.sentence), platformCode: storedCode(platformCode) };
}

function storedCode(code: string | null | undefined): string | null {
  return cleanText(code ?? '', TEXT_LIMITS.code) || null;
}
