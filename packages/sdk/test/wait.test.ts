import { expect, test } from 'vitest';
import { createClient, type WaitOptions } from '../src/index.ts';
import { type Next, noted, withServer } from './harness.ts';

const post = (...statuses: string[]): Next => ({
  status: 200,
  json: {
    success: true,
    data: { id: 'p', date: '2026-08-01T09:30:00.000Z', result: statuses.map((status) => ({ status })) },
  },
});
const refused = (status: number, code: string, more = {}): Next => ({
  status,
  json: { success: false, code, message: 'No.', ...more },
});

async function wait(script: readonly Next[], options: WaitOptions = {}) {
  return withServer(script, async ({ url, requests }) => {
    const { pauses, pause } = noted();
    const { posts } = createClient({ baseUrl: url, apiKey: 'k', pause });
    const outcome = await posts.waitFor('p', options).catch((error: unknown) => error);
    return { outcome, pauses, looks: requests.length };
  });
}

test('wait polls until nothing is pending and reports polls', async () => {
  const seen: string[][] = [];
  const { outcome, looks } = await wait(
    [post('PENDING', 'PENDING'), post('SUCCESS', 'PENDING'), post('SUCCESS', 'FAILED')],
    {
      onUpdate: ({ result }) => seen.push(result.map((each) => each.status)),
    },
  );
  expect(outcome).toMatchObject({ result: [{ status: 'SUCCESS' }, { status: 'FAILED' }] });
  expect([looks, seen.length]).toEqual([3, 3]);
});

test('wait survives a restart, lost connections and rate limits', async () => {
  const script = ['reset', refused(503, 'draining'), refused(429, 'rate_limited', { retryAfter: 12 }), post('SUCCESS')];
  const { outcome, pauses } = await wait(script as Next[]);
  expect(outcome).toMatchObject({ id: 'p' });
  expect(pauses).toEqual([1_000, 1_000, 12_000]);
});

test('wait ends after two minutes of unavailability', async () => {
  const { outcome, pauses } = await wait([refused(503, 'database_unavailable')]);
  expect(outcome).toMatchObject({ code: 'database_unavailable' });
  const total = pauses.reduce((sum, ms) => sum + ms);
  expect(total).toBeGreaterThanOrEqual(120_000);
  expect(total).toBeLessThan(140_000);
  expect(await wait([refused(404, 'unknown_post')])).toMatchObject({ outcome: { code: 'unknown_post' }, looks: 1 });
});

test('wait ends exactly at the timeout', async () => {
  const { outcome, pauses } = await wait([post('PENDING')], { timeoutMs: 2_500 });
  expect(outcome).toMatchObject({ code: 'still_pending' });
  expect(pauses.reduce((sum, ms) => sum + ms)).toBe(2_500);
});

test('wait polls within 60 requests per minute', async () => {
  const { pauses } = await wait([post('PENDING')], { timeoutMs: 600_000 });
  let at = 0;
  const moments = pauses.map((ms) => {
    at += ms;
    return at;
  });
  for (const moment of moments)
    expect(moments.filter((each) => each >= moment && each < moment + 60_000).length).toBeLessThan(45);
});

test('an abort stops waiting even without a response', async () => {
  const enough = new AbortController();
  const reason = new Error('enough');
  await withServer([() => enough.abort(reason)], async ({ url }) => {
    const { posts } = createClient({ baseUrl: url, apiKey: 'k' });
    await expect(posts.waitFor('p', { signal: enough.signal })).rejects.toBe(reason);
  });
});
