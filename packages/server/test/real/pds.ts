/** Runs a real Bluesky server as a child process, and drives its consent page without a browser. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import http, { type IncomingHttpHeaders } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const PDS_FOLDER = fileURLToPath(new URL('../../../../test-support/pds/', import.meta.url));

export interface RealPds {
  /** As in the DID document: `http://localhost:PORT`. */
  service: string;
  plc: string;
  handle: string;
  did: string;
  appPassword: string;
  accountPassword: string;
  /** @returns the exit code */
  stop(): Promise<number | null>;
}

/** Whether the server's packages are installed (they are not dependencies of the service). */
export function pdsInstalled(): boolean {
  return existsSync(`${PDS_FOLDER}node_modules/.installed`);
}

export async function startPds(): Promise<RealPds> {
  const child = spawn(process.execPath, ['start.mjs'], { cwd: PDS_FOLDER, stdio: ['ignore', 'pipe', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4_000);
  });
  const ended = once(child, 'exit');
  const line = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text)),
    ended.then(() => null),
  ]);
  if (line === null) throw new Error(`The server did not start: ${complaints}`);
  return {
    ...(JSON.parse(line) as Omit<RealPds, 'stop'>),
    async stop() {
      child.kill('SIGTERM');
      return (await ended)[0] as number | null;
    },
  };
}

export interface OtherClient {
  /** Calls a method with JSON, or with a video. @throws Error unless it succeeds */
  ask(nsid: string, body: object | Buffer): Promise<Record<string, unknown>>;
  /** Creates a post. @returns its URI */
  post(record: object): Promise<string>;
}

/** Signs in as another client of the account does: with the account's own password. */
export async function otherClient({ service, did, accountPassword }: RealPds): Promise<OtherClient> {
  let token = '';
  const ask: OtherClient['ask'] = async (nsid, body) => {
    const isFile = Buffer.isBuffer(body);
    const response = await fetch(`${service}/xrpc/${nsid}`, {
      method: 'POST',
      headers: {
        'content-type': isFile ? 'video/mp4' : 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: isFile ? new Uint8Array(body) : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${nsid}: ${text}`);
    return JSON.parse(text || '{}') as Record<string, unknown>;
  };
  const session = await ask('com.atproto.server.createSession', { identifier: did, password: accountPassword });
  token = String(session.accessJwt);
  return {
    ask,
    async post(record) {
      const $type = 'app.bsky.feed.post';
      const given = { repo: did, collection: $type, record: { $type, ...record } };
      return String((await ask('com.atproto.repo.createRecord', given)).uri);
    },
  };
}

/**
 * Signs in on the consent page and decides.
 * @returns the URL that the browser is redirected to, with code or error
 */
export async function consentAt(
  page: string,
  login: { username: string; password: string; did: string },
  decision: 'consent' | 'reject',
): Promise<URL> {
  const cookies = new Map<string, string>();
  const { origin } = new URL(page);
  const ask = async (method: string, url: string, headers: Record<string, string>, body?: unknown) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await send(method, url, { ...headers, ...(cookie ? { cookie } : {}) }, body);
    for (const one of response.headers['set-cookie'] ?? []) {
      const [name = '', value = ''] = (one.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    return response;
  };
  const navigate = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };
  const shown = await ask('GET', page, { accept: 'text/html', ...navigate });
  if (shown.status !== 200) throw new Error(`The consent page answered ${shown.status}: ${shown.text.slice(0, 500)}`);
  const api = async (endpoint: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await ask(
      'POST',
      `${origin}/@atproto/oauth-provider/~api/${endpoint}`,
      {
        'content-type': 'application/json',
        'sec-fetch-mode': 'same-origin',
        'sec-fetch-site': 'same-origin',
        'x-csrf-token': cookies.get('csrf-token') ?? '',
        origin,
        referer: page,
        ...headers,
      },
      body,
    );
    if (response.status !== 200) throw new Error(`${endpoint} answered ${response.status}: ${response.text}`);
    return JSON.parse(response.text) as Record<string, unknown>;
  };
  if (decision === 'reject') return new URL(String((await api('reject', {})).url));
  const { username, password, did } = login;
  const { ephemeralToken } = await api('sign-in', { locale: 'en', username, password, remember: false });
  return new URL(String((await api('consent', { did }, { authorization: `Bearer ${ephemeralToken}` })).url));
}

/** Uses node:http, because fetch does not allow setting a browser's navigation headers. */
function send(method: string, url: string, headers: Record<string, string>, body?: unknown) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const request = http.request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    request.on('error', reject);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
