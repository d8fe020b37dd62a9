import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createNetServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../../../sandbox/test/harness/raw-http.ts';
import { createServer, type Service } from '../../src/app/server.ts';
import { secretsFrom } from '../../src/config/secrets.ts';
import { testConfig } from '../harness/config.ts';
import { waitingSessions } from '../harness/locks.ts';
import { provided } from '../harness/provided.ts';
import { type Client, createClient, startService, type TestService } from '../harness/service.ts';
import { pollPause } from '../harness/world.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function started(options?: Parameters<typeof startService>[0]): Promise<TestService> {
  const service = await startService(options);
  undo.push(service.close);
  return service;
}

/** Accepts connections and never responds. */
async function silentServer(): Promise<{ port: number; close(): void }> {
  const server: Server = createNetServer(() => {});
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  undo.push(async () => close());
  return { port: (server.address() as { port: number }).port, close };
}

test('during startup it is live and responds 503 with Retry-After', async () => {
  const database = await silentServer();
  const port = await freePort();
  const service = quiet({ databaseUrl: `postgres://x@127.0.0.1:${database.port}/x`, listen: on(port) });
  const failed = service.start().catch((error: Error) => error);
  const client = createClient(`http://127.0.0.1:${port}`, null);
  const response = await untilAnswered(() => client.get('/reposts'));
  expect(response).toMatchObject({ status: 503, body: { success: false, code: 'starting' } });
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(response.headers.get('x-request-id')).not.toBeNull();
  expect((await client.get('//health/live')).status).toBe(200);
  expect((await client.get('//health/ready')).status).toBe(503);
  for (const method of ['HEAD', 'PATCH']) {
    const { status, headers } = await client.call(method, '/uploads/019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b');
    expect([method, status, headers.get('tus-resumable')]).toEqual([method, 423, '1.0.0']);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
  }
  database.close();
  expect(await failed).toBeInstanceOf(Error);
});

test('a port in use is reported in one line', async () => {
  const { port: taken } = await silentServer();
  const service = quiet({ listen: on(taken), databaseUrl: 'postgres://x@127.0.0.1:1/x' });
  await expect(service.start()).rejects.toThrow(`Port ${taken} on 127.0.0.1 is in use by another program.`);
});

test('an unavailable database is reported in one line', async () => {
  const service = quiet({ databaseUrl: 'postgres://x@127.0.0.1:1/x' });
  await expect(service.start()).rejects.toThrow('The database is not available.');
});

test('draining finishes requests, rejects new ones and is idempotent', async () => {
  const service = await started();
  const user = await service.newUser();
  // A request in progress: it waits for a lock that the test holds.
  const holder = service.db.another(1);
  const { client, release } = await holder.connect();
  await client.query('begin');
  await client.query('lock table rule');
  const running = user.get('/reposts');
  const idle = await user.get('/user/api-key');
  expect(idle.status).toBe(200);
  await untilWaiting(service);
  const drained = service.drain();
  expect(service.drain()).toBe(drained);
  expect(await user.get('/reposts')).toMatchObject({ status: 503, body: { code: 'draining' } });
  await client.query('rollback');
  release();
  expect((await running).status).toBe(200);
  await drained;
  await expect(fetch(`${service.url}/health/live`)).rejects.toThrow();
});

test('draining closes keep-alive connections', async () => {
  const service = await started();
  const { lifecycle } = service.context;
  lifecycle.state = 'draining';
  const { status, body, headers } = await service.client.get('/reposts');
  expect(status).toBe(503);
  expect(body.code).toBe('draining');
  expect(headers.get('connection')).toBe('close');
  expect((await service.client.get('//health/live')).status).toBe(200);
  expect(await service.client.get('//health/ready')).toMatchObject({ status: 503, body: { code: 'draining' } });
  lifecycle.state = 'running';
});

test('the service recovers when database connections are cut', async () => {
  const service = await started();
  const user = await service.newUser();
  await user.get('/reposts');
  for (let round = 0; round < 3; round++) {
    await service.db.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    const responses = await Promise.all(Array.from({ length: 8 }, () => user.get('/reposts')));
    for (const { status, body } of responses)
      if (status !== 200) expect({ status, code: body.code }).toEqual({ status: 503, code: 'database_unavailable' });
    expect((await user.get('/reposts')).status).toBe(200);
  }
});

describe('the embedded database', () => {
  let folder: string;
  let service: Service;
  let client: Client;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reelay-embedded-'));
    service = quiet({ databaseUrl: null, dataDir: folder, storageFolder: join(folder, 'files') });
    const { port } = await service.start();
    client = createClient(`http://127.0.0.1:${port}`, null);
  });
  afterAll(async () => {
    try {
      await service.drain();
    } finally {
      await service.destroy();
      // Processes of a killed database may still be writing.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  });
  const postmaster = async () =>
    Number((await readFile(join(folder, 'database', 'pg', 'postmaster.pid'), 'utf8').catch(() => '0')).split('\n')[0]);

  test('is restarted after it was stopped externally', async () => {
    const first = await postmaster();
    // PostgreSQL waits until its clients are gone, and accepts no new ones meanwhile.
    process.kill(first, 'SIGTERM');
    await untilAnswered(async () => {
      const responses = await Promise.all(Array.from({ length: 30 }, () => client.get('//health/ready')));
      const again = await postmaster();
      return again !== 0 && again !== first && responses.every(({ status }) => status === 200) ? true : null;
    });
    expect((await client.get('//health/ready')).status).toBe(200);
  });

  test('is used by one service at a time', async () => {
    expect((await client.get('//health/ready')).status).toBe(200);
    const second = quiet({ databaseUrl: null, dataDir: folder, storageFolder: join(folder, 'files') });
    await expect(second.start()).rejects.toThrow(/Another Reelay is using this data folder/);
    expect((await client.get('//health/ready')).status).toBe(200);
  });

  test('is restarted after it was killed', async () => {
    process.kill(await postmaster(), 'SIGKILL');
    const away = await untilAnswered(async () => {
      const response = await client.get('//health/ready');
      return response.status === 503 ? response : null;
    });
    expect(away.body).toMatchObject({ success: false, code: 'database_unavailable', parts: { database: 'away' } });
    expect(away.headers.get('retry-after')).not.toBeNull();
    const back = await untilAnswered(async () => {
      const response = await client.get('//health/ready');
      return response.status === 200 ? response : null;
    });
    expect(back.body.parts).toMatchObject({
      service: 'running',
      database: 'ok',
      storage: 'ok',
      youngestHeartbeatSeconds: expect.any(Number),
    });
  });
});

test('readiness reports the age of the latest worker heartbeat', async () => {
  const service = await started({ config: { role: 'api' } });
  await service.db.execute(
    `insert into worker (id, boot_id, pid_namespace, pid, process_start, heartbeat_at)
     select gen_random_uuid(), 'b', 'n', n, 's', app_now() - n * interval '1 minute' from generate_series(7, 9) n`,
  );
  const { body } = await service.client.get('//health/ready');
  expect(body.parts.youngestHeartbeatSeconds).toBeGreaterThanOrEqual(420);
  expect(body.parts.youngestHeartbeatSeconds).toBeLessThan(480);
});

test("a worker's port serves only health and metrics", async () => {
  const service = await started({ config: { role: 'worker' } });
  expect((await service.client.get('//health/ready')).status).toBe(200);
  expect((await service.client.get('//metrics')).status).toBe(200);
  for (const path of ['//', '//docs', '//api/v1/reposts', '//api/v1/openapi.json', '//api/auth/get-session'])
    expect((await service.client.get(path)).status).toBe(404);
});

test('metrics of a public service require the token', async () => {
  const service = await started({
    config: { publicUrl: 'https://reelay.example', httpsOnly: true, metricsToken: 't' },
  });
  const read = (headers: Record<string, string>) => service.client.call('GET', '//metrics', { headers });
  expect((await read({})).status).toBe(401);
  expect((await read({ authorization: 'Bearer t' })).status).toBe(200);
  expect((await read({ authorization: 'Bearer t', 'x-real-ip': '203.0.113.9' })).status).toBe(403);
});

test('metrics require a local request or the token', async () => {
  const service = await started({ config: { metricsToken: 'let me look'.replaceAll(' ', '-') } });
  await service.client.get('/reposts');
  const { body, headers } = await service.client.get('//metrics');
  expect(headers.get('content-type')).toContain('text/plain');
  expect(body).toMatch(
    /^reelay_http_request_seconds_count\{method="GET",route="\/api\/v1\/reposts",status="401"\} 1$/m,
  );
  expect(body).toMatch(/^process_resident_memory_bytes \d+/m);
  const through = (headers: Record<string, string>) =>
    service.client.call('GET', '//metrics', { headers: { 'x-forwarded-for': '198.51.100.1', ...headers } });
  expect((await through({})).status).toBe(401);
  for (const headers of [{ 'x-real-ip': '203.0.113.9' }, { forwarded: 'for=203.0.113.9' }] as Record<string, string>[])
    expect((await service.client.call('GET', '//metrics', { headers })).status).toBe(401);
  const rebound = await sendRaw(`${service.url}/metrics`, { headers: { host: 'evil.example' } });
  expect(rebound.status).toBe(401);
  expect((await through({ authorization: 'Bearer wrong' })).status).toBe(401);
  expect((await through({ authorization: 'Bearer let-me-look' })).status).toBe(200);
});

function quiet(config: Parameters<typeof testConfig>[1]): Service {
  const settings = { ...testConfig('/nonexistent', config), logLevel: 'silent' as const };
  return createServer(settings, secretsFrom(randomBytes(32)), {
    tools: provided('tools'),
    webFolder: '/nonexistent',
  });
}

function on(port: number) {
  return { host: '127.0.0.1', port, tls: null };
}

async function freePort(): Promise<number> {
  const server = createNetServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilAnswered<T>(ask: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const response = await ask().catch(() => null);
    if (response !== null) return response;
    await pollPause(2);
  }
}

/** Waits until a statement waits for a lock. */
async function untilWaiting({ db }: TestService): Promise<void> {
  await untilAnswered(async () => ((await waitingSessions(db)) > 0 ? true : null));
}
