import { describe, expect, test } from 'vitest';
import { judge, REDIRECT_MARK } from './checker.ts';
import type { Part } from './multipart.ts';
import { BEARER, DIGITS, FILLED, RANGE, rangeIsBody } from './rules.ts';
import { either, flag, list, object, text, whole, word } from './shapes.ts';
import type { Seen, WireTable } from './table.ts';

const shape = object(
  { title: text(/^.{1,5}$/), kind: word('a', 'b') },
  { size: whole(1, 9), shown: flag, tags: list(text(FILLED), 2, 1), from: either(word('me'), object({ id: whole() })) },
);

const table: WireTable = {
  requests: [
    {
      method: 'GET',
      at: 'api',
      path: '/items',
      auth: BEARER,
      query: { page: DIGITS },
      optionalQuery: { order: FILLED },
    },
    { method: 'GET', at: 'api', path: '/old', auth: BEARER, query: { access_token: FILLED } },
    {
      method: 'POST',
      at: 'api',
      path: '/items/:id',
      params: { id: DIGITS },
      auth: BEARER,
      headers: { version: /^\d{6}$/ },
      optionalHeaders: { key: /^k/ },
      noHeaders: ['etag'],
      body: { kind: 'json', shape },
    },
    {
      method: 'POST',
      at: 'api',
      path: '/token',
      body: { kind: 'form', required: { code: FILLED }, optional: { scope: FILLED } },
    },
    {
      method: 'PUT',
      at: 'given',
      path: '/up/*',
      anyQuery: true,
      headers: { 'content-length': DIGITS, 'content-range': RANGE },
      body: { kind: 'bytes', type: /^video\/mp4$/, most: 10 },
      also: rangeIsBody,
    },
    {
      method: 'POST',
      at: 'given',
      path: '/form',
      body: {
        kind: 'multipart',
        required: { action: /^ADD$/, file: { type: /^video\//, most: 10 } },
        optional: { note: FILLED },
        last: 'file',
      },
    },
    { method: 'DELETE', at: 'api', path: '/items/:id', auth: BEARER, authOptional: true },
  ],
};

const places = { api: '/sandbox/toy/api', given: '/sandbox/toy' };
const TOKEN = 'Bearer a-token-of-somebody';

type Headers = Record<string, string>;

/** A request with a text as its body; headers that are undefined are left out. */
function sent(method: string, target: string, headers: Headers = {}, body = '', form: Seen['body'] = null): Seen {
  const bytes = form?.bytes ?? Buffer.byteLength(body);
  const length: Headers = method === 'GET' || method === 'DELETE' ? {} : { 'content-length': String(bytes) };
  const all = { 'user-agent': 'Reelay', ...length, ...headers };
  return {
    method,
    target: `/sandbox/toy${target}`,
    headers: Object.entries(all).filter(([, value]) => value !== ''),
    body: form ?? { bytes, text: body, form: null },
  };
}

const judged = (request: Seen) => judge(table, places, request);

const listed = (headers: Headers = {}, query = 'page=1') =>
  sent('GET', `/api/items?${query}`, { authorization: TOKEN, ...headers });
const GOOD = { title: 'Run', kind: 'a' };
const item = (json: unknown, headers: Headers = {}, id = '17') =>
  sent(
    'POST',
    `/api/items/${id}`,
    { authorization: TOKEN, version: '202609', 'content-type': 'application/json; charset=UTF-8', ...headers },
    typeof json === 'string' ? json : JSON.stringify(json),
  );
const token = (form: string, headers: Headers = {}) =>
  sent('POST', '/api/token', { 'content-type': 'application/x-www-form-urlencoded', ...headers }, form);
const upload = (body: string, headers: Headers = {}) =>
  sent(
    'PUT',
    '/up/any/where?key=secret',
    { 'content-type': 'video/mp4', 'content-range': 'bytes 0-3/8', ...headers },
    body,
  );
const part = (name: string, given: Partial<Part> = {}): Part => ({
  name,
  fileName: null,
  type: null,
  bytes: 3,
  text: 'ADD',
  ...given,
});
const FILE = part('file', { type: 'video/mp4', text: null });
const form = (parts: Part[], wrong: string[] = []) =>
  sent('POST', '/form', { 'content-type': 'multipart/form-data; boundary=b' }, '', {
    bytes: 99,
    text: null,
    form: { parts, wrong },
  });

describe('what a platform knows is no finding', () => {
  test.each<[string, Seen]>([
    ['a question', listed()],
    ['a question with all it may have', listed({}, 'page=1&order=new')],
    ['JSON', item(GOOD)],
    ['JSON with all it may have', item({ ...GOOD, size: 9, shown: true, tags: ['x'], from: { id: 1 } }, { key: 'k1' })],
    ['another kind of value', item({ ...GOOD, from: 'me' })],
    ['a form', token('code=c&scope=s')],
    ['bytes', upload('abcd')],
    ['a form of parts', form([part('action'), part('note'), FILE])],
    ['no authorization where it is left open', sent('DELETE', '/api/items/1')],
    ['a request that broke off, of which only the head is known', { ...item(''), body: null }],
    ['a request that broke off in its bytes', { ...upload('abcd'), body: null }],
  ])('%s', (_name, request) => {
    expect(judged(request)).toEqual([]);
  });
});

describe('other violations', () => {
  const POST = 'POST api /items/:id: ';
  const GET = 'GET api /items: ';
  const PUT = 'PUT given /up/*: ';
  const FORM = 'POST given /form: ';
  const twice = (request: Seen, name: string): Seen => ({ ...request, headers: [...request.headers, [name, 'again']] });
  const leaky = 'a-token-of-somebody';

  test.each<[string, Seen, string]>([
    ['an unknown path', sent('GET', '/api/others'), 'GET /sandbox/toy/api/others: the platform knows no such request'],
    [
      'another method',
      sent('PATCH', '/api/items/1'),
      'PATCH /sandbox/toy/api/items/1: the platform knows no such request',
    ],
    [
      'a place outside of all',
      { ...sent('GET', ''), target: '/items' },
      'GET /items: the platform knows no such request',
    ],
    ['a part of the path', item(GOOD, {}, 'x'), `${POST}:id of the path is not as it has to be`],
    ['no authorization', listed({ authorization: '' }), `${GET}the header authorization is missing`],
    [
      'another authorization',
      listed({ authorization: 'Basic YTpi' }),
      `${GET}the header authorization is not as it has to be`,
    ],
    [
      'an unwanted one',
      token('code=c', { authorization: TOKEN }),
      'POST api /token: an authorization is sent where none is wanted',
    ],
    ['no header', item(GOOD, { version: '' }), `${POST}the header version is missing`],
    ['another header', item(GOOD, { version: 'new' }), `${POST}the header version is not as it has to be`],
    ['an optional header', item(GOOD, { key: 'x' }), `${POST}the header key is not as it has to be`],
    ['a forbidden header', item(GOOD, { etag: 'x' }), `${POST}the header etag is not wanted`],
    ['a header twice', twice(listed({ accept: '*/*' }), 'Accept'), `${GET}the header accept is there twice`],
    ['an unknown parameter', listed({}, 'page=1&color=red'), `${GET}the parameter color is not known`],
    ['no parameter', listed({}, 'order=new'), `${GET}the parameter page is missing`],
    ['another parameter', listed({}, 'page=one'), `${GET}the parameter page is not as it has to be`],
    ['a parameter twice', listed({}, 'page=1&page=2'), `${GET}the parameter page is there twice`],
    [
      'a secret in the query',
      sent('GET', '/api/old?access_token=t', { authorization: TOKEN }),
      'GET api /old: a secret stands in the query: access_token',
    ],
    [
      'the token in the query',
      listed({}, `page=1&order=${leaky}`),
      `${GET}the token of the header stands in the address`,
    ],
    ['a redirect', listed({}, `page=1&${REDIRECT_MARK}=1`), `${GET}a redirect was followed`],
    ['a cookie', listed({ cookie: 'a=b' }), `${GET}the header cookie is sent`],
    ['an expectation', item(GOOD, { expect: '100-continue' }), `${POST}the header expect is sent`],
    ['nobody', listed({ 'user-agent': '' }), `${GET}the header user-agent is missing`],
    ['a question with a body', listed({ 'content-length': '2' }), `${GET}a question has a body`],
    [
      'another length',
      upload('abcd', { 'content-length': '5', 'content-range': 'bytes 0-4/8' }),
      `${PUT}content-length is not what was sent`,
    ],
    ['a length that is none', upload('abcd', { 'content-length': '4, 4' }), `${PUT}content-length is no number`],
    ['two lengths', upload('abcd', { 'transfer-encoding': 'chunked' }), `${PUT}there are two lengths`],
    [
      'a body',
      sent('DELETE', '/api/items/1', { 'content-length': '2' }, '{}'),
      'DELETE api /items/:id: there is a body',
    ],
    ['no content type', item(GOOD, { 'content-type': '' }), `${POST}the header content-type is missing`],
    [
      'another content type',
      item(GOOD, { 'content-type': 'text/plain' }),
      `${POST}the header content-type is not as it has to be`,
    ],
    ['no JSON', item('{"title"'), `${POST}the body is no JSON`],
    ['a list', item([]), `${POST}the body is no object`],
    ['no member', item({ title: 'Run' }), `${POST}kind is missing`],
    ['an unknown member', item({ ...GOOD, color: 'red' }), `${POST}color is not known`],
    ['an unknown member of every object', item({ ...GOOD, toString: 1 }), `${POST}toString is not known`],
    ['another member', item({ ...GOOD, kind: 'c' }), `${POST}kind is not as it has to be`],
    ['no text', item({ ...GOOD, title: 1 }), `${POST}title is no text`],
    ['a fraction', item({ ...GOOD, size: 1.5 }), `${POST}size is no whole number`],
    ['too much', item({ ...GOOD, size: 10 }), `${POST}size is out of range`],
    ['no truth', item({ ...GOOD, shown: 'yes' }), `${POST}shown is no true or false`],
    ['too many', item({ ...GOOD, tags: ['a', 'b', 'c'] }), `${POST}tags has 3 entries`],
    ['no list', item({ ...GOOD, tags: 'a' }), `${POST}tags is no list`],
    ['an empty entry', item({ ...GOOD, tags: [''] }), `${POST}tags[0] is not as it has to be`],
    ['something inside', item({ ...GOOD, from: { id: 'x' } }), `${POST}from.id is no whole number`],
    ['no field', token('scope=s'), 'POST api /token: the field code is missing'],
    ['an unknown field', token('code=c&state=s'), 'POST api /token: the field state is not known'],
    ['too many bytes', upload('abcdefghijk', { 'content-range': 'bytes 0-10/11' }), `${PUT}the body has 11 bytes`],
    ['another range', upload('abcd', { 'content-range': 'bytes 0-4/8' }), `${PUT}content-range is not what is sent`],
    [
      'a range beyond the end',
      upload('abcd', { 'content-range': 'bytes 6-9/8' }),
      `${PUT}content-range is not what is sent`,
    ],
    ['no part', form([FILE]), `${FORM}the part action is missing`],
    ['an unknown part', form([part('other'), part('action'), FILE]), `${FORM}the part other is not known`],
    ['another part', form([part('action', { text: 'END' }), FILE]), `${FORM}the part action is not as it has to be`],
    ['a part twice', form([part('action'), part('action'), FILE]), `${FORM}the part action is there twice`],
    ['a part behind the last', form([FILE, part('action')]), `${FORM}the part file is not the last`],
    [
      'a part without type',
      form([part('action'), part('file')]),
      `${FORM}the type of the part file is not as it has to be`,
    ],
    ['a large part', form([part('action'), { ...FILE, bytes: 11 }]), `${FORM}the part file has 11 bytes`],
    ['a broken form', form([part('action'), FILE], ['the body ends early']), `${FORM}the body ends early`],
    [
      'a long text',
      { ...item(GOOD), body: { bytes: 24, text: null, form: null } },
      `${POST}the body is longer than 1 MB`,
    ],
    ['a broken off head', { ...item(GOOD, { version: '' }), body: null }, `${POST}the header version is missing`],
  ])('%s', (_name, request, finding) => {
    expect(judged(request)).toContain(finding);
    expect(judged(request).join()).not.toContain(leaky);
  });
});

test('an unknown path shows no token', () => {
  const [finding = ''] = judged(sent('POST', '/api/bot7000000001:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe'));
  expect(finding).toBe('POST /sandbox/toy/api/…/getMe: the platform knows no such request');
});
