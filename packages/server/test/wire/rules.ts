/** What several tables say in the same words. */
import { headerOf } from './checker.ts';
import type { Fields, Known, Seen } from './table.ts';

export const BEARER = /^Bearer [\w.~+/=|!*:-]+$/;
/** RFC 7617: name and secret of an application, joined by a colon. */
export const BASIC = /^Basic (?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
export const FILLED = /./s;
export const DIGITS = /^\d+$/;
export const JSON_UTF8 = /^application\/json; ?charset=utf-8$/i;
/** RFC 7636. */
export const VERIFIER = /^[\w.~-]{43,128}$/;
export const ADDRESS = /^https?:\/\/[\x21-\x7e]+$/;

export const is = (...words: string[]) => new RegExp(`^(?:${words.join('|')})$`);

/** Some of these names, joined by commas. */
export const someOf = (...names: string[]) => new RegExp(`^(?:${names.join('|')})(?:,(?:${names.join('|')}))*$`);

/** `bytes FIRST-LAST/TOTAL`. */
export const RANGE = /^bytes \d+-\d+\/\d+$/;

/** A content range that names exactly the bytes that were sent. */
export function rangeIsBody(request: Seen): string[] {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headerOf(request, 'content-range'));
  if (!range) return [];
  const [first = 0, last = 0, total = 0] = range.slice(1).map(Number);
  const length = Number(headerOf(request, 'content-length'));
  return first <= last && last < total && last - first + 1 === length ? [] : ['content-range is not what is sent'];
}

/** The two forms of OAuth's token endpoint: a code, and a refresh token. @param client how the application names itself */
export function tokenForms(client: Fields, code: { required?: Fields; optional?: Fields } = {}): Known['body'] {
  return {
    kind: 'either',
    of: [
      {
        kind: 'form',
        required: {
          grant_type: is('authorization_code'),
          code: FILLED,
          redirect_uri: ADDRESS,
          ...client,
          ...code.required,
        },
        optional: code.optional ?? {},
      },
      { kind: 'form', required: { grant_type: is('refresh_token'), refresh_token: FILLED, ...client } },
    ],
  };
}

/** The body as JSON; undefined where it is none. */
export function jsonOf({ body }: Seen): unknown {
  try {
    return JSON.parse(body?.text ?? '');
  } catch {
    return undefined;
  }
}
