import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
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
    const hosts = ['localhost', '127.0.0.1', ...(hasIPv6() ? ['[::1]'] : [])];
    for (const host of hosts) expect((await fetch(`http://${host}:${port}/health/ready`)).status).toBe(200);
    // Without a handler, SIGHUP would end the process first.
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGINT', 'SIGTERM'] as const) run.child.kill(signal);
    expect(await run.ended).toEqual({ code: 0, signal: null });
  });
});

test('startup without access to the data folder says why', async () => {
  // Nobody may create a folder there, not even root.
  const run = start({ DATA_DIR: '/sys/reelay' });
  expect(await run.ended).toEqual({ code: 1, signal: null });
  expect(run.text()).toMatch(/^This process \(user id \d+\) has no access to \/sys\/reelay\. .*DATA_DIR.*\n$/);
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
      await run.until(/Warning: plain HTTP \(ALLOW_HTTP=on\)/);
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

test('startup errors are reported in one line', async () => {
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

test('a signal during the start ends it without an error', async () => {
  const db = await createTestDatabase();
  const proxy = await startDatabaseProxy(db.connection);
  try {
    await withFolder(async (folder) => {
      const waits = proxy.inject((sql) => sql.includes('from auth."user" limit 1'), { at: 'before', kind: 'hang' });
      const run = start({ DATA_DIR: folder, DATABASE_URL: proxy.url, PORT: '0' });
      await waits;
      run.child.kill('SIGTERM');
      expect(await run.ended).toEqual({ code: 0, signal: null });
      expect(run.text()).toBe('');
    });
  } finally {
    await proxy.close();
    await db.drop();
  }
});

test.each([
  ['a host that is unknown', { HOST: 'nowhere.invalid', ALLOW_HTTP: 'on' }, /^HOST=nowhere\.invalid is no address of /],
  ['an address of another machine', { HOST: '192.0.2.1', ALLOW_HTTP: 'on' }, /^HOST=192\.0\.2\.1 is no address of /],
])('a start on %s names HOST', async (_, variables, refusal) => {
  await withFolder(async (folder) => {
    const run = start({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', ...variables });
    expect((await run.ended).code).toBe(1);
    expect(run.text()).toMatch(refusal);
  });
});

test('a start without a needed encoder names it', async () => {
  const db = await createTestDatabase();
  try {
    await withFolder(async (folder) => {
      const ffmpeg = join(folder, 'ffmpeg');
      await writeFile(
        ffmpeg,
        '#!/bin/sh\necho "ffmpeg version 7.1 C"; echo " V....D mjpeg  M"; echo " A....D aac  A"\n',
      );
      await chmod(ffmpeg, 0o755);
      const DATABASE_URL = db.url.replace('@/', '@localhost/');
      const run = start({ DATA_DIR: folder, DATABASE_URL, PORT: '0', FFMPEG_PATH: ffmpeg });
      expect((await run.ended).code).toBe(1);
      expect(run.text()).toMatch(
        /ffmpeg is a build without libx264, which Reelay needs .* Install ffmpeg 5\.1 or later/,
      );
      expect(run.text()).not.toContain('Reelay is at');
    });
  } finally {
    await db.drop();
  }
});

const hasIPv6 = () =>
  Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
