/** The filter of the history as it stands in the address of the page. Pure. */
import type { PostFilter, PostStatus } from '@reelay/sdk';

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
/** Of the service. */
export const MAX_TEXT = 200;

/** Reads the parameters of an address. What is not valid is left out. */
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
  return typeof value === 'string' && !Number.isNaN(startOf(value)) ? value : undefined;
}

/** When a local day begins, in ms since the epoch; NaN if it is not one. @param ahead days added */
function startOf(day: string, ahead = 0): number {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  const start = new Date(Number(year), Number(month) - 1, Number(date) + ahead);
  return start.getTime();
}

/** The filter for the service. Days that are in the wrong order are swapped. */
export function filterOf({ text, account, status, from, to }: PostSearch): PostFilter {
  const [first, last] = from && to && from > to ? [to, from] : [from, to];
  const trimmed = text?.trim() ?? '';
  return {
    ...(trimmed === '' ? {} : { text: trimmed }),
    ...(account ? { account } : {}),
    ...(status ? { status } : {}),
    ...(first ? { from: startOf(first) } : {}),
    ...(last ? { to: startOf(last, 1) - 1 } : {}),
  };
}

export function isFiltered(search: PostSearch): boolean {
  return Object.keys(filterOf(search)).length > 0;
}
