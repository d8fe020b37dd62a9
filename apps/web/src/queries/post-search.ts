/** The filter of the history, stored in the page's URL. Pure. */
import type { PostFilter, PostStatus } from '@reelay/sdk';
import { addDays, utcOfDay, type Zone } from '../time/zone-time.ts';

export interface PostSearch {
  text?: string;
  /** Account id. */
  account?: string;
  status?: PostStatus;
  /** First day, as in `date` fields, in the user's time zone. */
  from?: string;
  /** Last day. */
  to?: string;
}

export const STATUSES: readonly PostStatus[] = ['PENDING', 'SUCCESS', 'FAILED'];
/** The service's limit, in characters. */
export const MAX_TEXT = 200;

/** Parses the parameters of a URL. Invalid ones are ignored. */
export function parseSearch(raw: Record<string, unknown>): PostSearch {
  const text = typeof raw.text === 'string' || typeof raw.text === 'number' ? String(raw.text).slice(0, MAX_TEXT) : '';
  const status = STATUSES.find((each) => each === raw.status);
  const from = dayIn(raw.from);
  const to = dayIn(raw.to);
  return {
    ...(text === '' ? {} : { text }),
    ...(typeof raw.account === 'string' && raw.account !== '' ? { account: raw.account } : {}),
    ...(status ? { status } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  };
}

function dayIn(value: unknown): string | undefined {
  return typeof value === 'string' && !Number.isNaN(utcOfDay(value)) ? value : undefined;
}

/**
 * The filter for the service. Days in the wrong order are swapped.
 * @param zone of the user, in which days begin and end
 */
export function filterOf({ text, account, status, from, to }: PostSearch, zone: Zone): PostFilter {
  const [first, last] = from && to && from > to ? [to, from] : [from, to];
  const trimmed = text?.trim() ?? '';
  const startOf = (day: string) => zone.momentOf(`${day} 00:00:00`);
  return {
    ...(trimmed === '' ? {} : { text: trimmed }),
    ...(account ? { account } : {}),
    ...(status ? { status } : {}),
    ...(first ? { from: startOf(first) } : {}),
    ...(last ? { to: startOf(addDays(last, 1)) - 1 } : {}),
  };
}

export function isFiltered({ text, ...others }: PostSearch): boolean {
  return (text?.trim() ?? '') !== '' || Object.values(others).some((value) => value !== undefined);
}
