/** What Meta's three Graph APIs have in common: values in the query, a form or JSON, and one token with each call. */
import { headerOf } from './checker.ts';
import { FILLED } from './rules.ts';
import { either, object, text } from './shapes.ts';
import type { Fields, Known, Seen } from './table.ts';

/** `vNN.0` */
export const VERSION = /^v\d+\.0$/;
export const NODE = /^\d+$/;

type Place = Pick<Known, 'method' | 'at' | 'path' | 'params'>;

const HEADER = /^(?:Bearer|OAuth) \S+$/;
const TOKEN = { access_token: FILLED };
/** Hex of HMAC-SHA256; optional hardening [memory]. */
const PROOF = { appsecret_proof: /^[\da-f]{64}$/ };

/** A call with a token, which stands in the header or beside the values. */
export function graph(place: Place, required: Fields = {}, optional: Fields = {}): Known[] {
  const more = { ...optional, ...PROOF };
  const tokens = { tokensInQuery: ['access_token', 'appsecret_proof'] };
  const query = { query: required, optionalQuery: { ...more, ...TOKEN } };
  const inQuery: Known = { ...place, auth: HEADER, authOptional: true, ...query, ...tokens, also: oneToken };
  if (place.method === 'GET' || place.method === 'DELETE') return [inQuery];
  const body = { required, optional: { ...more, ...TOKEN } };
  const common = { ...place, auth: HEADER, authOptional: true, optionalQuery: { ...TOKEN, ...PROOF }, ...tokens };
  const shapes = (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, rule]) => [name, asJson(rule)]));
  return [
    inQuery,
    { ...common, body: { kind: 'form', ...body }, also: oneToken },
    { ...common, body: { kind: 'json', shape: object(shapes(body.required), shapes(body.optional)) }, also: oneToken },
  ];
}

/** JSON knows numbers and truths of its own; what the text has to be still holds. */
const asJson = (rule: RegExp) =>
  either(
    text(rule),
    { is: 'flag' },
    { is: 'number', least: 0, most: Number.MAX_SAFE_INTEGER },
    {
      is: 'list',
      of: text(FILLED),
      least: 0,
      most: Number.POSITIVE_INFINITY,
    },
  );

function oneToken(request: Seen): string[] {
  const places = [
    headerOf(request, 'authorization') !== '',
    /[?&]access_token=/.test(request.target),
    /(?:^|&)access_token=|"access_token":/.test(request.body?.text ?? ''),
  ];
  if (request.body && places.every((is) => !is)) return ['the call has no token'];
  return places.filter(Boolean).length > 1 ? ['the call has more than one token'] : [];
}

/** The file of a post, at the URL of a response. Its host is not the API's, so no token is sent. */
export const FILE: Known = { method: 'GET', at: 'given', path: '/cdn/:file', anyQuery: true };

/** The whole video from an offset on, in one request. @param given headers that the documents name besides */
export function transfer(path: string, params: Fields, given: Partial<Known> = {}): Known[] {
  const place = { method: 'POST', path, params, auth: /^OAuth \S+$/ } as const;
  return [
    {
      at: '',
      ...place,
      ...given,
      headers: { offset: /^\d+$/, file_size: /^\d+$/, ...given.headers },
      body: given.body ?? { kind: 'bytes' },
      also: wholeRest,
    },
    { at: '', ...place, ...given, headers: { file_url: /^https:\/\// }, body: undefined },
  ];
}

function wholeRest(request: Seen): string[] {
  const [offset, total, length] = ['offset', 'file_size', 'content-length'].map((name) =>
    Number(headerOf(request, name)),
  );
  return (offset ?? 0) + (length ?? 0) === total ? [] : ['offset and body are not the whole file'];
}
