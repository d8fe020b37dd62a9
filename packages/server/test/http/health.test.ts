import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PartStatus } from '../../src/queue/status.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('readiness lists every loop', async () => {
  const { status, body } = await service.client.get('//health/ready');
  expect(status).toBe(200);
  expect(body.parts.loops).toMatchObject({ rules: 'ok', renditions: 'ok', files: 'ok', sweeps: 'ok' });
});

test('a stuck loop makes the service not ready', async () => {
  const { context } = service;
  const before = context.statuses;
  const stuck: PartStatus = { ok: false, detail: 'no successful claim for 75 s' };
  context.statuses = () => ({ ...before(), rules: stuck });
  const { status, body } = await service.client.get('//health/ready');
  expect({ status, code: body.code, message: body.message, rules: body.parts.loops.rules }).toEqual({
    status: 503,
    code: 'database_unavailable',
    message: 'Not working: rules (no successful claim for 75 s).',
    rules: stuck.detail,
  });
  context.statuses = before;
});
