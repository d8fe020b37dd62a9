import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createClient } from '../src/index.ts';

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { operationId: string }>>;
};

/** Calls every method once and returns "METHOD path" of each request, with the id "X" as a parameter. */
async function requested(): Promise<string[]> {
  const seen: string[] = [];
  const post = { id: 'X', date: '2026-08-01T09:30:00.000Z', result: [] };
  const client = createClient({
    baseUrl: 'https://reelay.example',
    apiKey: 'rly_key',
    fetch: async (input, init) => {
      const { pathname } = new URL(String(input));
      seen.push(`${init?.method} ${pathname.replace('/api/v1', '')}`);
      return Response.json({ success: true, data: post });
    },
  });
  const {
    key,
    platforms,
    posts,
    rules,
    media,
    session,
    user,
    operator,
    sandbox,
    notifications,
    accountGroups,
    drafts,
    snippets,
    uploads,
  } = client;
  await Promise.all([session.options(), platforms.connectSandbox()]);
  await Promise.all([user.current(), user.edit({}), user.sessions(), user.endSession('X'), user.endOtherSessions()]);
  await Promise.all([user.passkeys(), user.renamePasskey('X', 'n'), user.secondFactor()]);
  await Promise.all([key.info(), key.generate(), key.revoke()]);
  await Promise.all([platforms.list(), platforms.connect({ platform: 'p' }), platforms.disconnect('X')]);
  await Promise.all([platforms.attempts(), platforms.attempt('X'), platforms.setup({ check: true })]);
  await Promise.all([platforms.get('X'), platforms.catalog(), platforms.choose('X', { board: 'b' })]);
  await Promise.all([
    platforms.setApplication('X', { clientId: 'i', clientSecret: 's' }),
    platforms.removeApplication('X'),
  ]);
  await Promise.all([posts.create({ video: new Blob(['v']), platforms: ['X'] }), posts.get('X'), posts.history()]);
  await Promise.all([posts.historyBetween({ from: 0, to: 1 }), posts.cancel('X'), posts.edit('X', {})]);
  await Promise.all([posts.retry('X'), posts.tryNow('X'), posts.stop('X'), posts.remove('X'), posts.waitFor('X')]);
  await Promise.all([posts.check({ uploadId: 'X', platforms: ['X'] }), posts.countCaptions({ platforms: ['X'] })]);
  await Promise.all([platforms.form('X'), platforms.refresh('X')]);
  await Promise.all([posts.search(), posts.calendar({ from: 0, to: 1 }), posts.copyVideo('X')]);
  await Promise.all([posts.video('X'), uploads.video('X'), posts.preview('X'), uploads.preview('X')]);
  await Promise.all([posts.orderPreview('X'), uploads.orderPreview('X')]);
  await Promise.all([rules.list(), rules.add({ from: 'X', to: ['X'] }), rules.pause('X'), rules.resume('X')]);
  await Promise.all([rules.edit('X', {}), rules.activity('X'), rules.repost('X', 'X'), rules.preview('X')]);
  await Promise.all([rules.previewNew({ from: 'X', to: ['X'] }), rules.catalog('X')]);
  await Promise.all([rules.remove('X'), media('X')]);
  await Promise.all([operator.users(), operator.setPlan('X', 'PRO'), operator.suspend('X'), operator.resume('X')]);
  await Promise.all([operator.queues(), operator.storage(), operator.runDoctor(), operator.audit()]);
  await Promise.all([operator.platformSetup('X'), operator.checkApplication('X', 'X')]);
  await Promise.all([sandbox.status(), sandbox.posts(), sandbox.setFaults([]), sandbox.reset()]);
  await sandbox.postFromPhone({ platform: 'p', username: 'u', video: new Blob(['v']) });
  await Promise.all([accountGroups.list(), accountGroups.save({ name: 'X', accounts: ['X'] })]);
  await Promise.all([accountGroups.rename('X', 'Y'), accountGroups.delete('X')]);
  await Promise.all([snippets.list(), snippets.save({ name: 'X', text: 'Y' })]);
  await Promise.all([snippets.edit('X', { name: 'X', text: 'Y' }), snippets.delete('X')]);
  const draft = {
    description: '',
    platforms: [],
    options: {},
    scheduled: null,
    previewTime: 0,
    fit: null,
    video: null,
  };
  await Promise.all([drafts.list(), drafts.get('X'), drafts.save('X', { version: 0, ...draft }), drafts.delete('X')]);
  await drafts.moveFromPost('X', { draftId: 'X', videoName: 'X', values: {} });
  await Promise.all([notifications.list(), notifications.unread(), notifications.read('X')]);
  await Promise.all([notifications.settings(), notifications.editSettings({ kind: 'post_failed' })]);
  await Promise.all([notifications.channels(), notifications.addChannel({ kind: 'slack', name: 'X' })]);
  await Promise.all([notifications.deleteChannel('X'), notifications.testChannel('X')]);
  await expect(client.events().next()).rejects.toMatchObject({ code: 'not_reelay' });
  return [...new Set(seen)].sort();
}

test('every API operation has a method and vice versa', async () => {
  // The SDK uses API keys; sign-in is for browsers. Uploads are a protocol with several requests and have their own
  // tests.
  const ofKeys = Object.entries(document.paths).filter(([path]) => !/^\/(?:api\/auth|uploads)(?:\/|$)/.test(path));
  const documented = ofKeys.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'X')}`),
  );
  expect(await requested()).toEqual(documented.sort());
});

test('the Node entry point alone uses Node APIs', () => {
  const sources = [
    'client',
    'errors',
    'events',
    'index',
    'multipart',
    'operator',
    'pause',
    'posts',
    'rules',
    'sandbox',
    'session',
    'user',
    'transport',
    'uploads',
  ].map((name) => readFileSync(new URL(`../src/${name}.ts`, import.meta.url), 'utf8'));
  for (const source of sources) expect(source).not.toMatch(/from 'node:|\bBuffer\b|\bprocess\b/);
});
