/**
 * No value of a request becomes part of the text of a statement: values are parameters. Sends requests of every documented
 * operation with the ids of the user's objects, and with a hostile text in each field, and reads the statements.
 */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendRaw } from '../../../sandbox/test/harness/raw-http.ts';
import { OPERATIONS } from '../../src/app/operations.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type DocumentedRequest, OPERATIONS_OF_DOCUMENT } from './documented-requests.ts';
import { createOwner, type Owner } from './owned-objects.ts';

const HOSTILE = `hostile' or "1"='1'; --`;

/** Kinds of ids that requests with a hostile text name. */
const HOSTILE_KINDS = new Set(['account', 'scheduled post', 'rule', 'passkey']);

/** Operations that are not called here, and why. */
const EXCLUDED: Readonly<Record<string, string>> = { liveEvents: 'its response does not end' };
const operations = OPERATIONS_OF_DOCUMENT.filter(({ id }) => !(id in EXCLUDED));

let service: TestService;
/** A new one follows a write, which may end the session or delete what others name. */
let owner: Owner;
const statements = vi.spyOn(pg.Client.prototype, 'query');
beforeAll(async () => {
  service = await startService({ config: { role: 'api', leastFreeBytes: 0, signup: 'open' } });
  owner = await createOwner(service);
});
beforeEach(async () => {
  await service.db.execute('delete from rate');
  statements.mockClear();
});
afterAll(async () => {
  statements.mockRestore();
  await service.close();
});

/** The texts and the parameters of all statements since the last call. */
function sentStatements(): { texts: string[]; values: string } {
  const calls = statements.mock.calls.map(([given, values]) => ({ given: given as unknown, values }));
  statements.mockClear();
  const texts = calls.map(({ given }) =>
    typeof given === 'string' ? given : ((given as { text?: string }).text ?? ''),
  );
  return {
    texts,
    values: JSON.stringify(calls.map(({ given, values }) => [(given as pg.QueryConfig).values, values])),
  };
}

async function send({ method, path, headers, body }: DocumentedRequest): Promise<number> {
  const length: Record<string, string> =
    body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const session = { cookie: owner.user.cookie, 'x-reelay-csrf': '1', origin: service.url };
  return (await sendRaw(service.url + path, { method, headers: { ...headers, ...length, ...session }, body })).status;
}

/** The request with a hostile text in each field of its body, each parameter of its query, and each part of its path. */
function hostile(id: string, request: DocumentedRequest): DocumentedRequest[] {
  const { path, body, headers } = request;
  const [address = '', query = ''] = path.split('?', 2);
  const names = Object.keys(OPERATIONS.find((each) => each.id === id)?.query?.shape ?? {});
  const queries = names.map((name) => {
    const changed = new URLSearchParams(query);
    changed.set(name, HOSTILE);
    return { ...request, path: `${address}?${changed}` };
  });
  const bodies =
    headers['content-type'] === 'application/json'
      ? [...withEach(JSON.parse(String(body))), ...eachAlone(JSON.parse(String(body)))].map((json) => ({
          ...request,
          body: JSON.stringify(json),
        }))
      : [];
  const whole = owner.ids.account ?? '';
  return [...queries, ...bodies, { ...request, path: path.replaceAll(whole, encodeURIComponent(HOSTILE)) }];
}

/** Copies of a value, each with another one of its texts replaced. */
function withEach(value: unknown): unknown[] {
  if (typeof value === 'string') return [HOSTILE];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    withEach(part).map((changed) =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed },
    ),
  );
}

/** Each hostile field without the others, which may be refused before it is read. */
function eachAlone(json: object): unknown[] {
  return Object.entries(json).flatMap(([name, part]) => withEach(part).map((changed) => ({ [name]: changed })));
}

/** Operations whose values were parameters of a statement. */
const reached = { ids: [] as string[], texts: [] as string[] };

describe('statements contain no value of a request:', () => {
  test.each(operations)('$id', async ({ id, writes, requests }) => {
    if (writes) owner = await createOwner(service);
    const all = Object.entries(owner.ids).flatMap(([kind, each]) =>
      requests(each, owner.otherAccount).flatMap((request) => [
        ...(HOSTILE_KINDS.has(kind) ? hostile(id, request) : []),
        request,
      ]),
    );
    const secrets = [...owner.secrets, 'hostile'];
    statements.mockClear();
    for (const request of all) expect([request, (await send(request)) < 500]).toEqual([request, true]);
    const { texts, values } = sentStatements();
    if (owner.secrets.some((secret) => values.includes(secret))) reached.ids.push(id);
    if (values.includes('hostile')) reached.texts.push(id);
    expect(texts.filter((text) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
  });
});

test('hostile texts and ids reached the database as parameters', () => {
  expect(reached.texts).toEqual(expect.arrayContaining(['editPost', 'searchPosts', 'editUser', 'renamePasskey']));
  expect(reached.ids.length).toBeGreaterThan(40);
});
