/** Tests that inputs of 1 MiB to sign-in are parsed and logged in linear time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SIGN_IN } from '../../src/app/operations.ts';
import { createDatabase } from '../../src/db/database.ts';
import { network } from '../../src/http/request-limits.ts';
import { createLog } from '../../src/lib/log.ts';
import { authSettings } from '../../src/users/better-auth.ts';
import { createKnownBrowsers } from '../../src/users/known-browser.ts';

const MIB = 1024 * 1024;
const LONG = ['a', '@', 'a@', ':', '1', ' ', '\n', '%', '.', ';', '=', '"', '<', '/', 'é', '\ud800'].map((unit) =>
  unit.repeat(Math.ceil(MIB / unit.length)),
);
/** Quadratic work on 1 MiB takes minutes, linear work a few ms of CPU time. */
const WITHIN_MS = 500;

function timed(work: () => unknown): number {
  const started = process.cpuUsage();
  work();
  return process.cpuUsage(started).user / 1000;
}

const slowest = (works: (() => unknown)[]) => Math.max(...works.map(timed));

let pool: ReturnType<typeof createDatabase>;
beforeAll(() => {
  pool = createDatabase({ connection: { host: '127.0.0.1', port: 1 }, size: 1 });
});
afterAll(() => pool.close());

test('messages of better-auth are not parsed', () => {
  const lines: string[] = [];
  const { logger } = authSettings({
    config: { publicUrl: 'http://localhost:3000', httpsOnly: false, defaultPlan: 'PRO' },
    secrets: [{ version: 1, value: 'x'.repeat(32) }],
    resets: null,
    pool: pool.pool,
    log: createLog({ level: 'trace', pretty: false }, { write: (line: string) => void lines.push(line) }),
  });
  const say = logger.log as (level: string, message: string, ...rest: unknown[]) => void;
  expect(slowest(LONG.map((text) => () => say('error', `Invalid callbackURL: ${text}`, text)))).toBeLessThan(WITHIN_MS);
  expect(lines.length).toBe(LONG.length);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(300);
});

test('bodies of every route are validated quickly', () => {
  const bodies = LONG.flatMap((text) => [
    { email: text, password: text, name: text },
    { email: `${text}@b.co`, password: 'x', name: '' },
    { email: `a@${text}`, password: 'x', name: '' },
    { currentPassword: text, newPassword: text },
    { token: text },
    { [text]: 1 },
  ]);
  const works = SIGN_IN.flatMap(({ body }) =>
    bodies.map((each) => () => expect(body.safeParse(each).success).toBe(false)),
  );
  expect(slowest(works)).toBeLessThan(WITHIN_MS);
});

test('cookies and addresses are parsed quickly', () => {
  const browsers = createKnownBrowsers({ key: Buffer.alloc(32), secure: false });
  const works = LONG.flatMap((text) => [
    () => browsers.find(text, 'a@example.org'),
    () => browsers.find(`reelay.browser=${text}`, 'a@example.org'),
    () => browsers.find(`reelay.browser=a.${text}`, 'a@example.org'),
    () => network(text),
  ]);
  expect(slowest(works)).toBeLessThan(WITHIN_MS);
});
