/** The simulators, driven by the client libraries of the platforms' users; see `test-support/clients`. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadSimulator } from '@reelay/sandbox/registry.ts';
import { describe, expect, test } from 'vitest';
import { consentAt } from '../../../../test-support/clients/browser.ts';
import type { Client, ClientResult, ClientSuite, ClientWorld } from '../../../../test-support/clients/contract.ts';
import { redirectHosts } from '../../../../test-support/clients/hosts.ts';
import { startSimulator } from '../../../sandbox/test/harness/simulator.ts';
import { makeVideo } from '../media/fixtures.ts';

declare module 'vitest' {
  interface TaskMeta {
    client?: ClientResult;
  }
}

const FOLDER = fileURLToPath(new URL('../../../../test-support/clients/', import.meta.url));
const APP = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
const REDIRECT_URI = 'https://app.example/callback';

/** Set by `npm run clients`, which installs them first. */
const asked = process.env.REELAY_CLIENTS === '1';
const name = asked ? 'client libraries' : 'client libraries: SKIPPED, because they run in npm run clients';
const only = process.env.REELAY_TEST_PLATFORMS?.split(',');
const platforms = Object.keys(loadSimulator).filter(
  (platform) => existsSync(`${FOLDER}${platform}.ts`) && (only?.includes(platform) ?? true),
);

/** Drives a simulator with a library, and counts the calls. */
async function drive(platform: string, hosts: readonly string[], client: Client): Promise<ClientResult> {
  const module = await loadSimulator[platform]?.();
  if (!module) throw new Error(`There is no simulator of ${platform}.`);
  const simulator = await startSimulator(module, { prefix: '', ...client.options });
  const restore = redirectHosts(new Map(hosts.map((host) => [host, simulator.url])));
  const result: ClientResult = { platform, client: client.name, worked: 0, tried: 0, reasons: [] };
  const world: ClientWorld = {
    simulator,
    app: client.options?.app ?? APP,
    redirectUri: REDIRECT_URI,
    video: await makeVideo({ seconds: 6 }),
    consent: (url, fields = {}) => consentAt(url, REDIRECT_URI, fields),
    async call(call, run) {
      result.tried++;
      const value = await attempt(call, run);
      result.worked++;
      return value;
    },
    async differs(call, reason, run) {
      result.tried++;
      await expect(attempt(call, run), `${call} works now`).rejects.toThrow();
      result.reasons.push(`${call}: ${reason}`);
    },
  };
  try {
    await client.drive(world);
    expect(simulator.errors).toEqual([]);
    return result;
  } finally {
    restore();
    await simulator.close();
  }
}

async function attempt<T>(call: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error) error.message = `${call}: ${error.message}`;
    throw error;
  }
}

describe.skipIf(!asked)(name, async () => {
  for (const platform of platforms) {
    const { hosts, clients } = asked
      ? ((await import(`${FOLDER}${platform}.ts`)) as { suite: ClientSuite }).suite
      : { hosts: [], clients: [] };
    for (const client of clients)
      test(`${platform}: ${client.name}`, async ({ task }) => {
        task.meta.client = await drive(platform, hosts, client);
      });
  }
  if (!asked) test('run in npm run clients', () => expect.unreachable());
});
