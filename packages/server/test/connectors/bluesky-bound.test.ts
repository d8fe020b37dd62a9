/**
 * Posts exactly once with DPoP-bound tokens: the same crashes and false responses, with a proof and a nonce on every
 * call.
 */
import { simulator } from '@reelay/sandbox/platforms/bluesky/index.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { connector } from '../../src/connectors/bluesky/index.ts';
import type { ConnectContext, Connector } from '../../src/connectors/contract.ts';
import { drawn, ONE_IN, sampled, seeded } from '../harness/draw.ts';
import { createWorld } from '../harness/world.ts';
import { broken, crashAt, discover, FAULTS, faultAt, faultIn, isPerfectLie, MOMENTS } from '../suites/connector.ts';

const { oauth } = connector;
const redirectUri = 'http://127.0.0.1:3000/oauth/bluesky/callback';

/** Gives the consent, like a browser. */
async function consent(context: ConnectContext, input: Record<string, string>) {
  const { url, kept } = await oauth.authorize(context, { state: 's', redirectUri, identifier: input.identifier ?? '' });
  const body = new URLSearchParams({ username: input.identifier ?? '', decision: 'allow' });
  for (const [name, value] of new URL(url).searchParams) body.set(name, value);
  const response = await fetch(url.split('?')[0] ?? '', { method: 'POST', body, redirect: 'manual' });
  const back = new URL(response.headers.get('location') ?? 'none:');
  return oauth.exchange(context, { query: back.searchParams, redirectUri, kept });
}

const bound: Connector = {
  ...connector,
  credentials: { ...connector.credentials, open: consent, refresh: oauth.refresh, revoke: oauth.revoke },
};
const world = await createWorld({ connector: bound, module: simulator });
const requests = await discover(world);
const write = requests.find(({ path }) => path.endsWith('putRecord'));

describe('Bluesky with DPoP-bound tokens', () => {
  afterAll(() => world.close());

  test('writes right after the call that fetches the nonce', () => {
    expect(requests.slice(-3).map(({ path }) => path.split('.').at(-1))).toEqual([
      'getSession',
      'getSession',
      'putRecord',
    ]);
    expect(world.simulator.requests.slice(-3).map(({ status }) => status)).toEqual([401, 200, 200]);
  });

  for (const { index, method, path } of sampled(requests, ONE_IN.moves, 'requests'))
    test.each(drawn(MOMENTS, ONE_IN.moves, String(index)))(
      `${index}. ${method} ${path}: posts once when the worker dies %s`,
      async (moment) => {
        const result = await crashAt(world, index, moment);
        expect(broken(result)).toBeNull();
        expect(result.state, result.timeline.join('\n')).toBe('posted');
      },
    );

  test.each(drawn(FAULTS, ONE_IN.faults, 'write'))(
    seeded('the write, $name: posted once, or not and said so'),
    async (given) => {
      const fault = faultIn(world, given);
      const result = await faultAt(world, write?.index ?? 0, fault, { releaseAfterMs: given.releaseAfterMs });
      expect(broken(result, isPerfectLie(world, fault))).toBeNull();
    },
  );

  test('refreshes an access token that expires during the publish', async () => {
    const id = await world.post({ text: 'an hour later' });
    await world.advance(3_600_000);
    await world.settle(await world.worker(), id);
    expect(await world.target(id)).toMatchObject({ state: 'posted' });
    expect(world.simulator.requests.some(({ path, status }) => path === '/oauth/token' && status === 200)).toBe(true);
  });

  test('fails the post with the reason when consent is revoked', async () => {
    const id = await world.post({ text: 'never #sandbox-reconnect' });
    await world.settle(await world.worker(), id);
    expect(await world.target(id)).toMatchObject({ state: 'failed', code: 'reconnect_required' });
    expect([...world.bugs, ...world.simulator.errors]).toEqual([]);
  });
});
