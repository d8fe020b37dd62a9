/**
 * Sends requests of every documented operation as everybody who may not use it, with the ids of another user's objects.
 * A new operation is covered automatically by its entry in the document.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendRaw } from '../../../sandbox/test/harness/raw-http.ts';
import { generateKey, revokeKey } from '../../src/keys/service.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { startService, type TestService } from '../harness/service.ts';
import { addReadyAccount } from '../post/world.ts';
import { type DocumentedRequest, OPERATIONS_OF_DOCUMENT } from './documented-requests.ts';
import { createOwner, hashRows, type Owner } from './owned-objects.ts';

/** Operations that other users do not call here, and why. */
const EXCLUDED: Readonly<Record<string, string>> = {
  liveEvents: 'its response does not end; live/live.test.ts shows that no user is told about another',
};
/** Operations that accept a request without valid credentials although they need a session, and why. */
const ACCEPTED: Readonly<Record<string, string>> = {
  signOut: 'ends the session of its request, and does nothing without one',
};
const operations = OPERATIONS_OF_DOCUMENT.filter(({ id }) => !(id in EXCLUDED));
const guarded = OPERATIONS_OF_DOCUMENT.filter(({ id, isPublic }) => !isPublic && !(id in ACCEPTED));
const writes = OPERATIONS_OF_DOCUMENT.filter((each) => each.writes);

/** Kinds of ids that every identity tries. */
const MAIN_KINDS = new Set(['unknown', 'account', 'scheduled post', 'rule', 'upload']);

type Headers = Record<string, string>;

let service: TestService;
let owner: Owner;
let ownersRows: string;
/** Nothing that they send is accepted, so they never change. */
let refused: Record<string, { headers: Headers; code: string }>;
let operator: { key: Headers; cookie: string };
beforeAll(async () => {
  service = await startService({ config: { role: 'api', leastFreeBytes: 0 } });
  owner = await createOwner(service);
  operator = await createOperator();
  refused = await createRefused();
  ownersRows = await hashRows(service, owner.user.userId);
});
beforeEach(async () => {
  await service.db.execute('delete from rate');
});
afterAll(() => service.close());

const byKey = (key: string): Headers => ({ authorization: `Bearer ${key}` });
const bySession = (cookie: string): Headers => ({ cookie, 'x-reelay-csrf': '1', origin: service.url });

async function createOperator() {
  const user = await service.newSession();
  await service.db.execute('update auth."user" set operator = true where id = $1', [user.userId]);
  return { key: byKey(await generateKey(service.db, user.userId)), cookie: user.cookie };
}

/** Credentials that are refused, with the code of the refusal. */
async function createRefused() {
  const [keyed, signedIn] = [await service.newUser(), await service.newSession()];
  const [suspended, suspendedSession] = [await service.newUser(), await service.newSession()];
  const ids = [suspended.userId, suspendedSession.userId];
  await service.db.execute('update auth."user" set suspended = true where id = any($1::uuid[])', [ids]);
  const revoked = await service.newUser();
  await revokeKey(service.db, revoked.userId);
  const wrong = byKey(`rly_${'0'.repeat(46)}`);
  return {
    nobody: { headers: {}, code: 'unauthorized' },
    'a wrong key': { headers: wrong, code: 'unauthorized' },
    'a wrong key beside a good cookie': { headers: { ...bySession(signedIn.cookie), ...wrong }, code: 'unauthorized' },
    'a revoked key': { headers: byKey(revoked.key), code: 'unauthorized' },
    'the key of a suspended user': { headers: byKey(suspended.key), code: 'account_suspended' },
    'the session of a suspended user': { headers: bySession(suspendedSession.cookie), code: 'account_suspended' },
    'a session without the header': { headers: { cookie: signedIn.cookie }, code: 'csrf_required' },
    'a key on an operation for sessions': { headers: byKey(keyed.key), code: 'session_required' },
    'the key of the operator on such an operation': { headers: operator.key, code: 'session_required' },
  };
}

let neighbor: { own: string; cookie: string; key: string } | null = null;

/** Another user with an account. A new one follows a write, which may end the session or replace the key. */
async function createNeighbor(isWrite: boolean) {
  if (!neighbor || isWrite) {
    const user = await service.newSession();
    const { id: own } = await addReadyAccount(service.db, user.userId);
    neighbor = { own, cookie: user.cookie, key: await generateKey(service.db, user.userId) };
  }
  const { own, cookie, key } = neighbor;
  if (isWrite) neighbor = null;
  return { own, session: bySession(cookie), key: byKey(key) };
}

interface Sent {
  status: number;
  code: string;
  text: string;
}

async function send({ method, path, headers, body }: DocumentedRequest, more: Headers): Promise<Sent> {
  const length: Headers = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const { status, text } = await sendRaw(service.url + path, {
    method,
    headers: { ...headers, ...length, ...more },
    body,
  });
  return { status, text, code: /"code":"(\w+)"/.exec(text)?.[1] ?? '' };
}

/** What a response must not contain: everything of the owner, except what the request itself named. */
const leaked = (text: string, asked: DocumentedRequest) =>
  owner.secrets.filter((each) => text.includes(each) && !`${asked.path} ${asked.body ?? ''}`.includes(each));

test('every operation with an exception exists', () => {
  const known = OPERATIONS_OF_DOCUMENT.map(({ id }) => id);
  expect(known).toEqual(expect.arrayContaining([...Object.keys(EXCLUDED), ...Object.keys(ACCEPTED)]));
  expect(operations.length).toBeGreaterThan(70);
  expect(writes.length).toBeGreaterThan(30);
});

test('the owner reaches the objects that others cannot', async () => {
  const reached = new Set<string>();
  for (const operation of operations.filter(({ id, namesObject }) => namesObject && /^get/.test(id)))
    for (const [kind, id] of Object.entries(owner.ids))
      for (const request of operation.requests(id, id))
        if ((await send(request, bySession(owner.user.cookie))).status < 300) reached.add(kind);
  expect([...reached]).toEqual(
    expect.arrayContaining(['account', 'attempt', 'failed post', 'posted post', 'scheduled post', 'upload']),
  );
});

describe('refuses without a trace:', () => {
  test.each(guarded)('$id', async ({ writes: isWrite, sessionOnly, requests }) => {
    const [request] = requests(owner.ids.account ?? '', uuidv7());
    if (!request) throw new Error('There is no request.');
    for (const [name, { headers, code }] of Object.entries(refused)) {
      if ((code === 'csrf_required' && !isWrite) || (code === 'session_required' && !sessionOnly)) continue;
      const sent = await send(request, headers);
      expect([name, sent.status]).toEqual([name, code === 'unauthorized' ? 401 : 403]);
      if (sent.text !== '') expect([name, sent.code]).toEqual([name, code]);
    }
    expect(await hashRows(service, owner.user.userId)).toBe(ownersRows);
  });
});

describe('shows and changes nothing of another user:', () => {
  test.each(operations)('$id', async ({ namesObject, sessionOnly, writes: isWrite, requests }) => {
    const { own, session, key } = await createNeighbor(isWrite);
    const identities = sessionOnly ? { session } : { key, session, 'key of the operator': operator.key };
    const unknown = uuidv7();
    const takesIds = requests(unknown, own).some((each) => JSON.stringify(each).includes(unknown));
    const ids = Object.entries({ unknown, ...(takesIds ? owner.ids : {}) });
    for (const [position, [name, headers]] of Object.entries(identities).entries()) {
      const outcomes = new Map<number, string>();
      // Objects are found in the same way for every caller, so the first identity tries all kinds.
      for (const [kind, id] of ids.filter(([kind]) => position === 0 || MAIN_KINDS.has(kind)))
        for (const [at, request] of requests(id, own).entries()) {
          const { status, code, text } = await send(request, headers);
          const where = `${name}, ${kind}: ${request.method} ${request.path} ${status}`;
          expect([where, leaked(text, request)]).toEqual([where, []]);
          expect([where, status < 500]).toEqual([where, true]);
          if (!namesObject) continue;
          expect([where, status >= 400]).toEqual([where, true]);
          // Whether an object exists must not be visible either.
          if (kind === 'unknown') outcomes.set(at, `${status} ${code}`);
          else expect([where, `${status} ${code}`]).toEqual([where, outcomes.get(at)]);
        }
    }
    expect(await hashRows(service, owner.user.userId)).toBe(ownersRows);
  });
});

describe('writes nothing for a foreign page:', () => {
  const BODIES: readonly (readonly [type: string | null, body: string])[] = [
    ['text/plain', '{}'],
    ['application/x-www-form-urlencoded', 'a=b'],
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n--x--\r\n'],
    ['application/json', '{}'],
    [null, ''],
  ];
  let allRows: string;
  beforeAll(async () => {
    allRows = await hashRows(service);
  });

  /** The request itself, with the bodies that forms and scripts of a page can send, and as a form with an override. */
  function forge(request: DocumentedRequest): DocumentedRequest[] {
    const { 'content-type': _type, ...headers } = request.headers;
    const override = { 'content-type': 'text/plain', 'x-http-method-override': request.method };
    return [
      request,
      ...BODIES.map(([type, body]) => ({
        ...request,
        headers: type === null ? headers : { ...headers, 'content-type': type },
        body,
      })),
      { ...request, method: 'POST', headers: { ...headers, ...override } },
    ];
  }

  test.each(writes)('$id', async ({ requests }) => {
    const [request] = requests(owner.ids['scheduled post'] ?? '', owner.ids.account ?? '');
    if (!request) throw new Error('There is no request.');
    for (const cookie of [owner.user.cookie, operator.cookie])
      for (const forged of forge(request)) {
        const foreign = { cookie, origin: 'https://other.example', 'sec-fetch-site': 'cross-site' };
        const { status, text } = await send(forged, foreign);
        const where = `${forged.method} ${forged.path} ${forged.headers['content-type']} ${status}`;
        expect([where, status >= 400 && status < 500]).toEqual([where, true]);
        expect([where, leaked(text, forged)]).toEqual([where, []]);
      }
    expect(await hashRows(service)).toBe(allRows);
  });
});
