/** A complete service with its own database and data folder, on a free port. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type Overrides } from '../../src/app/server.ts';
import type { Config } from '../../src/config/config.ts';
import { secretsFrom } from '../../src/config/secrets.ts';
import type { Context } from '../../src/context.ts';
import { generateKey } from '../../src/keys/service.ts';
import { createLog, type Log } from '../../src/lib/log.ts';
import { insertLogin, insertUser } from '../../src/users/user-store.ts';
import { testConfig } from './config.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type DocumentCheck, documentCheck } from './document.ts';
import { quickPasswords } from './passwords.ts';
import { provided } from './provided.ts';

export interface TestResponse {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, else the text. */
  // biome-ignore lint/suspicious/noExplicitAny: responses were validated against the OpenAPI document
  body: any;
  bytes: Buffer;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged; a FormData is sent as multipart. */
  body?: RequestInit['body'];
  query?: Record<string, string | number>;
  redirect?: RequestInit['redirect'];
}

/** Calls the service. Every API response is validated against the OpenAPI document. */
export interface Client {
  /** @param path below `/api/v1`, or an absolute path with an extra slash (`//health/live`) */
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  get(path: string, query?: Record<string, string | number>): Promise<TestResponse>;
  post(path: string, json?: unknown): Promise<TestResponse>;
}

export interface TestUser extends Client {
  userId: string;
  email: string;
  key: string;
}

export interface SessionUser extends Client {
  userId: string;
  email: string;
  password: string;
  cookie: string;
  /** The same session without the CSRF header. */
  bare: Client;
}

export interface TestService {
  /** Where it listens. `PUBLIC_URL` is in `context.config`. */
  url: string;
  /** A pool separate from the service's own. */
  db: TestDatabase;
  context: Context;
  /** Without authentication. */
  client: Client;
  /** With these headers. */
  clientWith(headers: Record<string, string>): Client;
  /** Creates a user with an API key. */
  newUser(options?: { plan?: Config['defaultPlan'] }): Promise<TestUser>;
  /** Creates a user with a password and signs in. The client sends the cookie and the CSRF header. */
  newSession(options?: { plan?: Config['defaultPlan'] }): Promise<SessionUser>;
  /** Signs up as a browser would. */
  signUp(email: string, headers?: Record<string, string>): Promise<TestResponse>;
  /** As on SIGTERM. */
  drain(): Promise<void>;
  /** Parsed log lines of the service. */
  logged: Record<string, unknown>[];
  close(): Promise<void>;
}

export interface ServiceOptions {
  config?: Partial<Config>;
  overrides?: Partial<Overrides>;
  /** 32 bytes, if other processes need the same key. */
  secretKey?: Buffer;
}

/** Starts a service. Call `close` at the end. */
export async function startService({ config, overrides, secretKey }: ServiceOptions = {}): Promise<TestService> {
  const db = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'reelay-service-'));
  const logged: Record<string, unknown>[] = [];
  const service = createServer(
    testConfig(folder, { databaseUrl: db.url, ...config }),
    secretsFrom(secretKey ?? randomBytes(32)),
    {
      log: collect(logged),
      poolSize: 6,
      passwords: quickPasswords,
      // Whether it is built must not matter.
      webFolder: join(folder, 'no-dashboard'),
      ...(config?.ffmpegPath ? {} : { tools: provided('tools') }),
      ...overrides,
    },
  );
  const close = async () => {
    await service.destroy();
    await db.drop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const { port, context } = await service.start();
    const url = `${config?.listen?.tls ? 'https' : 'http'}://localhost:${port}`;
    const check = documentCheck();
    return {
      url,
      db,
      context,
      client: createClient(url, check),
      clientWith: (headers) => createClient(url, check, headers),
      newUser: (options) => newUser(url, check, db, options?.plan ?? 'PRO'),
      newSession: (options) => newSession(url, check, db, options?.plan ?? 'PRO'),
      signUp: (email, headers) =>
        createClient(url, check).call('POST', '//api/auth/sign-up/email', {
          json: { email, name: email, password: 'correct horse battery' },
          headers: { origin: url, ...headers },
        }),
      drain: service.drain,
      logged,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function collect(lines: Record<string, unknown>[]): Log {
  return createLog({ level: 'trace', pretty: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
}

async function newUser(url: string, check: DocumentCheck, db: TestDatabase, plan: string): Promise<TestUser> {
  const email = `user-${randomBytes(6).toString('hex')}@example.org`;
  const made = await insertUser(db, { email, name: email, plan: plan as 'PRO' });
  if (!made) throw new Error('The user could not be made.');
  const userId = made.id;
  const key = await generateKey(db, userId);
  return { userId, email, key, ...createClient(url, check, { authorization: `Bearer ${key}` }) };
}

async function newSession(url: string, check: DocumentCheck, db: TestDatabase, plan: string): Promise<SessionUser> {
  const email = `user-${randomBytes(6).toString('hex')}@example.org`;
  const { id: userId } = (await insertUser(db, { email, name: email, plan: plan as 'PRO' })) ?? { id: '' };
  const password = randomBytes(15).toString('base64url');
  await insertLogin(db, userId, await quickPasswords.hash(password));
  const response = await createClient(url, check).call('POST', '//api/auth/sign-in/email', {
    json: { email, password },
    headers: { origin: url },
  });
  if (response.status !== 200) throw new Error(`Could not sign in: ${JSON.stringify(response.body)}`);
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
  const bare = createClient(url, check, { cookie });
  return { userId, email, password, cookie, bare, ...createClient(url, check, { cookie, 'x-reelay-csrf': '1' }) };
}

/**
 * @param check null: responses are not validated
 * @param fixed headers of every call
 */
export function createClient(url: string, check: DocumentCheck | null, fixed: Record<string, string> = {}): Client {
  const call: Client['call'] = async (method, path, options = {}) => {
    const address = new URL(path.startsWith('//') ? path.slice(1) : `/api/v1${path}`, url);
    for (const [name, value] of Object.entries(options.query ?? {})) address.searchParams.append(name, String(value));
    const json = options.json === undefined ? undefined : JSON.stringify(options.json);
    const response = await fetch(address, {
      method,
      headers: { ...fixed, ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...options.headers },
      body: json ?? options.body,
      redirect: options.redirect ?? 'manual',
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.includes('json');
    const body = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : bytes.toString();
    const result = { status: response.status, headers: response.headers, body, bytes };
    if (!path.startsWith('//') && address.pathname.startsWith('/api/v1/'))
      check?.check(method, address.pathname.slice('/api/v1'.length), result);
    return result;
  };
  return {
    call,
    get: (path, query) => call('GET', path, { query }),
    post: (path, json) => call('POST', path, { json }),
  };
}
