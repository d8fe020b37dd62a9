/**
 * Compares what a connector sends with what its platform accepts. The platform's side is a table (`wire/PLATFORM.ts`),
 * written from the platform's documentation, not from the connector or the simulator. A request that matches no entry, or
 * violates its entry, is a finding: a sentence with names, never with values.
 *
 * What the documentation leaves open is not a rule. Credentials are the exception: they are sent only where documented.
 */
import { judgeBody, judgeFields } from './bodies.ts';
import type { Known, Seen, WireTable } from './table.ts';

/** Paths of the endpoints by name, without a final slash. */
export type Places = Readonly<Record<string, string>>;

/** Marks the target of a redirect. */
export const REDIRECT_MARK = 'wire-redirected';

/** Returns everything that is wrong with a request. */
export function judge(table: WireTable, places: Places, request: Seen): string[] {
  const { path, query } = split(request.target);
  const headers = new Map(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const head: Head = { path, query, headers };
  const entries = candidates(table, places, request.method, path);
  const known = entries.map(({ entry, params }) => ({ entry, wrong: judgeKnown(entry, params, request, head) }));
  const [best] = known.sort((one, other) => distance(one.wrong) - distance(other.wrong));
  const name = best ? `${request.method} ${best.entry.at} ${best.entry.path}` : `${request.method} ${hidden(path)}`;
  const wrong = [...judgeAny(request, head, best?.entry), ...(best?.wrong ?? ['the platform knows no such request'])];
  return wrong.map((says) => `${name}: ${says}`);
}

/** How badly a request matches an entry. Another path or kind of body is worse than a wrong value. */
function distance(wrong: readonly string[]): number {
  const far = [/of the path is not/, /content-type is|there is a body/];
  return wrong.length + far.reduce((sum, kind) => sum + (wrong.some((says) => kind.test(says)) ? 10 : 0), 0);
}

/** The entries for this method and path. */
export function entriesFor(
  table: WireTable,
  places: Places,
  { method, target }: Pick<Seen, 'method' | 'target'>,
): Known[] {
  return candidates(table, places, method, split(target).path).map(({ entry }) => entry);
}

/** Whether this is an account's picture, whose requests are not checked. */
export function isPicture({ pictures = '' }: WireTable, places: Places, target: string): boolean {
  const [at = '', pattern = ''] = pictures.split(' ');
  return matchAt(places, at, pattern, split(target).path) !== null;
}

interface Head {
  path: string;
  query: URLSearchParams;
  headers: ReadonlyMap<string, string>;
}

function candidates({ requests }: WireTable, places: Places, method: string, path: string) {
  return requests.flatMap((entry) => {
    const params = entry.method === method ? matchAt(places, entry.at, entry.path, path) : null;
    return params ? [{ entry, params }] : [];
  });
}

/** Values of the pattern's parts; null if the path does not match. */
function matchAt(places: Places, at: string, pattern: string, path: string): Record<string, string> | null {
  const base = places[at];
  if (base === undefined || !path.startsWith(`${base}/`)) return null;
  const wanted = pattern.split('/');
  const have = path.slice(base.length).split('/');
  const open = wanted.at(-1) === '*';
  if (open ? have.length < wanted.length : have.length !== wanted.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = have[index] ?? '';
    if (open && index === wanted.length - 1) break;
    const [, before = '', name] = /^([^:]*):(\w+)$/.exec(part) ?? [];
    if (name && value.startsWith(before) && value.length > before.length) params[name] = value.slice(before.length);
    else if (value !== part) return null;
  }
  return params;
}

/** Rules for every request to every platform. */
function judgeAny(request: Seen, { path, query, headers }: Head, entry: Known | undefined): string[] {
  const wrong: string[] = [];
  const names = request.headers.map(([name]) => name.toLowerCase());
  for (const name of new Set(names))
    if (names.indexOf(name) !== names.lastIndexOf(name)) wrong.push(`the header ${name} is there twice`);
  for (const name of ['cookie', 'expect']) if (headers.has(name)) wrong.push(`the header ${name} is sent`);
  if (!headers.get('user-agent')) wrong.push('the header user-agent is missing');
  if (query.has(REDIRECT_MARK)) wrong.push('a redirect was followed');
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1) wrong.push(`the parameter ${name} is there twice`);
    if (SECRET_NAME.test(name) && !entry?.tokensInQuery?.includes(name))
      wrong.push(`a secret stands in the query: ${name}`);
  }
  const token = /^\S+ (\S{8,})$/.exec(headers.get('authorization') ?? '')?.[1];
  if (token && decoded(`${path}?${query}`).includes(token)) wrong.push('the token of the header stands in the address');
  const announced = headers.get('content-length');
  if (announced !== undefined && !/^\d+$/.test(announced)) wrong.push('content-length is no number');
  if (announced !== undefined && headers.has('transfer-encoding')) wrong.push('there are two lengths');
  if (request.body && announced !== undefined && Number(announced) !== request.body.bytes)
    wrong.push('content-length is not what was sent');
  if (request.method === 'GET' || request.method === 'HEAD')
    if (Number(announced ?? 0) > 0 || headers.has('transfer-encoding') || (request.body?.bytes ?? 0) > 0)
      wrong.push('a question has a body');
  return wrong;
}

const SECRET_NAME = /(?:^|_)(?:token|secret|password|jwt|assertion|verifier|proof|refresh|authorization)$/i;

function judgeKnown(entry: Known, params: Record<string, string>, request: Seen, head: Head): string[] {
  const { query, headers } = head;
  const wrong: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    const rule = entry.params?.[name];
    if (rule && !rule.test(value)) wrong.push(`:${name} of the path is not as it has to be`);
  }
  const auth = headers.get('authorization');
  if (auth === undefined) {
    if (entry.auth && !entry.authOptional) wrong.push('the header authorization is missing');
  } else if (!entry.auth) wrong.push('an authorization is sent where none is wanted');
  else if (!entry.auth.test(auth)) wrong.push('the header authorization is not as it has to be');
  for (const [name, rule] of Object.entries(entry.headers ?? {})) {
    const value = headers.get(name);
    if (value === undefined) wrong.push(`the header ${name} is missing`);
    else if (!rule.test(value)) wrong.push(`the header ${name} is not as it has to be`);
  }
  for (const [name, rule] of Object.entries(entry.optionalHeaders ?? {})) {
    const value = headers.get(name);
    if (value !== undefined && !rule.test(value)) wrong.push(`the header ${name} is not as it has to be`);
  }
  for (const name of entry.noHeaders ?? []) if (headers.has(name)) wrong.push(`the header ${name} is not wanted`);
  const plain = new URLSearchParams([...query].filter(([name]) => name !== REDIRECT_MARK));
  if (!entry.anyQuery) wrong.push(...judgeFields('parameter', plain, entry.query ?? {}, entry.optionalQuery ?? {}));
  wrong.push(...judgeBody(entry.body ?? null, request, headers));
  return wrong.length === 0 && entry.also ? entry.also(request) : wrong;
}

/** A header by its lower-case name; empty if it is missing. */
export function headerOf(request: Seen, name: string): string {
  return request.headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
}

function split(target: string): { path: string; query: URLSearchParams } {
  const index = target.indexOf('?');
  if (index < 0) return { path: target, query: new URLSearchParams() };
  return { path: target.slice(0, index), query: new URLSearchParams(target.slice(index + 1)) };
}

/** Parts of an unknown path that may be names of methods; the rest could be a token. */
const hidden = (path: string) => path.replaceAll(/[^/]+/g, (part) => (/^[\w.~@-]{0,40}$/.test(part) ? part : '…'));

function decoded(textOfAddress: string): string {
  try {
    return decodeURIComponent(textOfAddress);
  } catch {
    return textOfAddress;
  }
}
