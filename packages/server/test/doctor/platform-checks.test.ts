import { simulator } from '@reelay/sandbox/platforms/tiktok/index.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningSimulator, startSimulator } from '../../../sandbox/test/harness/simulator.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { applicationFindings } from '../../src/operator/doctor/platform-checks.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp } from '../../src/outbound/http-client.ts';

let running: RunningSimulator;
beforeAll(async () => {
  running = await startSimulator(simulator);
});
afterAll(() => running.close());

async function findingsFor(clientSecret: string, endpoints = simulator.endpoints(running.url)) {
  const client = createHttp({ guard: createAddressGuard([], [new URL(running.url).origin]) });
  const apps = {
    find: () => ({ clientId: 'sandbox-client', clientSecret }),
    source: () => 'stored' as const,
  };
  const { tiktok } = connectors;
  if (!tiktok) throw new Error('TikTok has no connector.');
  try {
    return await applicationFindings(
      { ...tiktok, endpoints },
      { apps, publicUrl: 'https://reelay.example' },
      client.request,
    );
  } finally {
    client.close();
  }
}

test('doctor verifies an application and lists scopes and review', async () => {
  const [checked, scopes, review] = await findingsFor('sandbox-secret');
  expect(checked?.verdict).toBe('ok');
  expect(checked?.message.text).toBe('TikTok (TIKTOK_CLIENT_KEY): TikTok accepts the id and the secret.');
  expect(scopes).toMatchObject({ verdict: 'note', message: { text: expect.stringContaining('video.publish') } });
  expect(review).toMatchObject({ verdict: 'note', message: { text: expect.stringMatching(/^TikTok review: /) } });
});

test('doctor fails for a wrong secret without showing it', async () => {
  const findings = await findingsFor('a wrong secret');
  expect(findings[0]).toMatchObject({ verdict: 'fail', message: { text: expect.stringContaining('invalid_client') } });
  expect(JSON.stringify(findings)).not.toContain('a wrong secret');
});

test('doctor only notes an application that it cannot verify', async () => {
  const away = Object.fromEntries(Object.keys(simulator.endpoints('')).map((name) => [name, 'https://127.0.0.1:1']));
  const [checked] = await findingsFor('sandbox-secret', away as ReturnType<typeof simulator.endpoints>);
  expect(checked).toMatchObject({
    verdict: 'note',
    message: { text: expect.stringContaining('could not be reached') },
  });
});
