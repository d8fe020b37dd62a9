/** What happens to posts while the service or its database is down, as somebody who runs `npm start` sees it. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commandLine } from '../../../../bench/kit/command-line.ts';
import { makeVideo } from '../media/fixtures.ts';
import { createInstallation, type Installation } from './npm-start.ts';

let installation: Installation;
let key: string;
let account: string;
beforeEach(async () => {
  installation = await createInstallation();
});
afterEach(() => installation.close());

/** Starts the service, with a user who has an account. */
async function begin() {
  const service = await installation.start();
  const reelay = commandLine(installation.folder);
  const user = 'guest@example.org';
  await reelay('users', 'create', '--email', user);
  key = await reelay('keys', 'create', '--user', user);
  account = await reelay('sandbox', 'connect', '--user', user, '--platform', 'mastodon', '--username', 'nora');
  return service;
}

/** @returns its id, and when it is due in ms since the epoch */
async function schedule(url: string, afterMs: number) {
  const due = Date.now() + afterMs;
  const form = new FormData();
  form.set('platforms', JSON.stringify([account]));
  form.set('description', 'Sunset run');
  form.set('scheduled', String(due));
  form.set('video', new Blob([await readFile(await makeVideo({ seconds: 3 }))], { type: 'video/mp4' }), 'video.mp4');
  const response = await fetch(`${url}/api/v1/post`, { method: 'POST', headers: authorized(), body: form });
  const body = (await response.json()) as { historyId: string };
  expect([response.status, body]).toMatchObject([200, { scheduled: true }]);
  return { id: body.historyId, due };
}

const authorized = () => ({ authorization: `Bearer ${key}` });

const untilDue = (due: number) => expect.poll(() => Date.now(), { timeout: 60_000 }).toBeGreaterThan(due);

/** Waits for the outcome, and counts what the platform shows. */
async function outcome(url: string, id: string) {
  const status = async () => {
    const response = await fetch(`${url}/api/v1/post/${id}`, { headers: authorized() }).catch(() => null);
    const body = (await response?.json().catch(() => null)) as { data?: { result: { status: string }[] } } | null;
    return body?.data?.result[0]?.status;
  };
  await expect.poll(status, { timeout: 60_000, interval: 500 }).toBe('SUCCESS');
  const feed = await (await fetch(`${url}/sandbox`)).text();
  return feed.split('Sunset run').length - 1;
}

test('a post due while the service is stopped appears once', async () => {
  const first = await begin();
  const { id, due } = await schedule(first.url, 2_000);
  first.process.kill('SIGTERM');
  await once(first.process, 'exit');
  await untilDue(due);
  const second = await installation.start();
  expect(await outcome(second.url, id)).toBe(1);
});

test('a post due while the database ends appears once', async () => {
  const { url } = await begin();
  const { id, due } = await schedule(url, 2_000);
  await untilDue(due - 100);
  process.kill(await installation.numberIn('pg/postmaster.pid'), 'SIGKILL');
  expect(await outcome(url, id)).toBe(1);
});
