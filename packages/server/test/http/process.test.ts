import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../harness/database.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';
import { withFolder } from '../harness/folder.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

interface Run {
  child: ChildProcess;
  /** Both outputs so far. */
  text(): string;
  /** Waits for a matching line. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  ended: Promise<{ code: number | null; signal: string | null }>;
}

function start(env: Record<string, string>): Run {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [main], { env: { PATH, NODE_COMPILE_CACHE, ...env }, stdio: 'pipe' });
  let text = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes) => {
      text += bytes;
      for (const listener of listeners) listener();
    });
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const until = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(text);
        if (found) resolve(found);
      };
      listeners.add(look);
      void ended.then(() => reject(new Error(`It ended and had said: ${text}`)));
      look();
    });
  return { child, text: () => text, until, ended };
}

test('startup prints the URL and signals stop it cleanly', async () => {
  await withFolder(async (folder) => {
    const port = await freePort();
    const run = start({ DATA_DIR: folder, PORT: String(port) });
    await run.until(/npx reelay users create --email you@example\.org/);
    expect(run.text()).toContain(`Reelay is at http://localhost:${port}`);
    expect((await fetch(`http://localhost:${port}/health/ready`)).status).toBe(200);
    for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM'] as const) run.child.kill(signal);
    expect(await run.ended).toEqual({ code: 0, signal: null });
  });
});

test('startup warns about plain HTTP on a public address', async () => {
  const db = await createTestDatabase();
  try {
    await withFolder(async (folder) => {
      const PUBLIC_URL = 'http://reelay.test';
      // A socket URL can contain the user only in its query.
      const DATABASE_URL = db.url.replace(
        /^postgres:\/\/([^:@]+)(?::([^@]*))?@\/(.*)$/,
        (_, user, password, rest) => `postgres:///${rest}&user=${user}${password ? `&password=${password}` : ''}`,
      );
      const env = { DATA_DIR: folder, DATABASE_URL, PORT: String(await freePort()), PUBLIC_URL };
      const run = start({ ...env, ALLOW_HTTP: 'on' });
      await run.until(/It speaks plain HTTP \(ALLOW_HTTP=on\)/);
      run.child.kill('SIGTERM');
      await run.ended;
      const refused = start(env);
      expect(await refused.ended).toEqual({ code: 1, signal: null });
      expect(refused.text()).toMatch(/^PUBLIC_URL must be https.*ALLOW_HTTP=on\.\n$/);
    });
  } finally {
    await db.drop();
  }
});

test('reports startup errors in one line', async () => {
  const db = await createTestDatabase();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await withFolder(async (folder) => {
      const { port } = server.address() as { port: number };
      // A URL with a user needs a host.
      const DATABASE_URL = db.url.replace('@/', '@localhost/');
      const taken = start({ DATA_DIR: folder, DATABASE_URL, PORT: String(port) });
      const odd = start({ DATA_DIR: folder, PORT: 'many' });
      expect((await taken.ended).code).toBe(1);
      expect(taken.text()).toBe(
        `Port ${port} on 127.0.0.1 is in use by another program. Stop it, or set PORT to another.\n`,
      );
      expect((await odd.ended).code).toBe(1);
      expect(odd.text()).toMatch(/^The variable PORT "many" is invalid: .*\n$/);
    });
  } finally {
    server.close();
    await db.drop();
  }
});

test('a failed start does not print the URL', async () => {
  const db = await createTestDatabase();
  const proxy = await startDatabaseProxy(db.connection);
  try {
    await withFolder(async (folder) => {
      const lost = proxy.inject((sql) => sql.includes('from auth."user" limit 1'), { at: 'before', kind: 'cut' });
      const run = start({ DATA_DIR: folder, DATABASE_URL: proxy.url, PORT: String(await freePort()) });
      await lost;
      expect(await run.ended).toEqual({ code: 1, signal: null });
      expect(run.text()).toMatch(/^The database is not available\. \(.*\)\n$/);
    });
  } finally {
    await proxy.close();
    await db.drop();
  }
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
