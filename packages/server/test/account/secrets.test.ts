import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
beforeAll(async () => {
  world = await createAccountWorld();
});
afterAll(() => world.close());

test('tokens, codes and states are never stored in plaintext', async () => {
  const userId = await world.newUser();
  const said: string[] = [];
  const listen = async (work: Promise<unknown>) => {
    const result = await work.catch((error: unknown) => {
      const { message, cause } = error as { message?: string; cause?: { message?: string } };
      said.push(`${message} ${cause?.message}`);
      return null;
    });
    // A session's contents are for the connector; everything else is visible to people.
    return result;
  };
  const { accounts, toy, simulator, db } = world;
  const { url } = await accounts.startConnect({ userId, platform: 'toy', sandbox: true, actor: 'session' });
  const ticket = new URL(url ?? '').searchParams.get('ticket') ?? '';
  const step = await accounts.startConsent({ platform: 'toy', ticket, browser: null, signedIn: userId });
  if (step.then !== 'redirect') throw new Error('No redirect.');
  const location = (await fetch(step.url, { redirect: 'manual' })).headers.get('location') ?? '';
  const query = new URL(location).searchParams;
  const state = query.get('state') ?? '';
  simulator.faults.add({ when: ({ path }) => path === '/me', times: 1, fault: { kind: 'garbage', acted: true } });
  said.push(JSON.stringify(await accounts.finishConsent({ platform: 'toy', query, browser: step.browser })));

  const id = await world.connect(userId, 'secret');
  const grantId = await world.grantOf(id);
  // A parser error that quotes the start of a response is a common way to leak a token.
  const quoted = 'leak-1 and more';
  for (const fault of [
    { kind: 'status', answer: { status: 200, headers: { 'content-type': 'application/json' }, body: quoted } },
    { kind: 'reset-after' },
    { kind: 'status', answer: { status: 500, body: quoted } },
  ] as const) {
    await db.clock.advance(3 * 3_600_000);
    simulator.faults.add({ when: ({ path }) => path === '/token', times: 1, fault });
    const outcome = await listen(accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 }));
    said.push(JSON.stringify(outcome));
  }
  await db.clock.advance(3 * 3_600_000);
  const failure = await listen(accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 }));
  said.push(JSON.stringify(failure));
  await listen(
    accounts.startConnect({
      userId,
      platform: 'toy',
      sandbox: true,
      actor: 'x',
      identifier: 'n',
      secret: 'planted-password',
    }),
  );
  await listen(accounts.disconnect({ userId, accountId: id, actor: 'session' }));
  await accounts.loops.grants.runOnce();

  const tables = await db.query<{ name: string }>(
    "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_schema in ('public', 'auth')",
  );
  const stored: string[] = [];
  for (const { name } of tables) stored.push(JSON.stringify(await db.query(`select t::text as row from ${name} t`)));
  const planted = [
    ...toy.secrets,
    ticket,
    state,
    step.browser,
    'kept-secret',
    'planted-password',
    'app-secret',
    'leak-1',
  ];
  expect(toy.secrets.length).toBeGreaterThan(3);
  const everything = { log: world.lines.join('\n'), said: said.join('\n'), stored: stored.join('\n') };
  for (const [where, text] of Object.entries(everything))
    for (const secret of planted) expect(text.includes(secret), `${secret} in ${where}`).toBe(false);
  expect(everything.log).toContain('grant_refresh_failed');
});

test('unexpected errors are logged without their message', async () => {
  const folder = fileURLToPath(new URL('../../src/accounts/', import.meta.url));
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const source = await readFile(`${folder}${name}`, 'utf8');
    if (name !== 'events.ts') expect(source, name).not.toMatch(/\blog\.(trace|debug|info|warn|error)\(/);
    expect(source, name).not.toMatch(/\berr: |console\./);
  }
});
