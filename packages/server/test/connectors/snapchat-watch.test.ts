import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { phoneOf } from '../../../sandbox/test/harness/phone.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/snapchat/index.ts';
import { describeWatch } from '../suites/watch.ts';
import type { Call } from './drive.ts';
import { startSnapchat } from './snapchat-driver.ts';
import { failureOf } from './walk.ts';

const { watch } = connector;
const isSpotlights = ({ method, path }: Call) => method === 'GET' && /\/spotlights(\?|$)/.test(path);

const start = closedAfterTest(async (overrides: Parameters<typeof startSnapchat>[0] = {}) => {
  const snapchat = await startSnapchat(overrides);
  const session = await snapchat.open(await snapchat.connect());
  const list = () => watch.list(session, { cursor: '', since: 0, mark: null });
  const answer = (body: string | JsonObject, status = 200) =>
    snapchat.faults.add({ when: isSpotlights, times: 1, fault: { kind: 'status', answer: { status, body } } });
  return { ...snapchat, list, answer, phone: phoneOf(snapchat, 'nora') };
});

const startPlain = closedAfterTest(startSnapchat);

describeWatch({
  platform: 'snapchat',
  username: 'nora',
  pageSize: 20,
  isList: isSpotlights,
  async start() {
    const drive = await startPlain();
    await drive.set({ pages: true });
    return { drive, work: await drive.work('made with Reelay') };
  },
});

describe('watching a Snapchat profile', () => {
  test('finds spotlights of the app, without a file', async () => {
    const { list, phone, clock } = await start();
    await phone.post('for few', { audience: 'limited' });
    const { id, url } = await phone.post('Sunset #sea');
    expect(connector.capabilities.watch).toBe('announce');
    expect(watch).not.toHaveProperty('file');
    expect(await list()).toEqual({
      posts: [
        {
          remoteId: id,
          publishedAt: clock.now,
          text: 'Sunset #sea',
          url,
          durationMs: null,
          width: null,
          height: null,
          isPublic: true,
          file: null,
        },
      ],
      next: '',
    });
  });

  test('reads the latest 20', async () => {
    const { list, phone } = await start();
    for (let i = 0; i < 21; i++) await phone.post(`${i}`);
    const { posts, next } = await list();
    expect(posts.map(({ text }) => text)).toEqual(Array.from({ length: 20 }, (_, i) => String(20 - i)));
    expect(next).toBe('');
  });

  test('finds live spotlights, not rejected or deleted ones', async () => {
    const { list, phone, clock, spotlightByHand } = await start({ processingMs: 60_000 });
    await spotlightByHand({ caption: 'rejected', rejected: true });
    const { id } = await phone.post('deleted');
    await phone.remove(id);
    await phone.post('live');
    expect((await list()).posts).toEqual([]);
    clock.now += 60_000;
    expect((await list()).posts.map(({ text }) => text)).toEqual(['live']);
  });

  test('skips malformed items', async () => {
    const { list, answer } = await start();
    const failed = { sub_request_status: 'ERROR', spotlight: { id: 'W7_1', status: 'LIVE' } };
    const odd: JsonObject[] = [{}, { spotlight: {} }, { spotlight: { id: 7, status: 'NEW' } }, failed];
    const spotlights = [null, 'x', ...odd, { spotlight: { id: 'W7_2', title: 'seen' } }];
    answer({ request_status: 'SUCCESS', spotlights });
    expect((await list()).posts).toMatchObject([{ remoteId: 'W7_2', text: 'seen', publishedAt: null }]);
  });

  test('reports errors in Snapchat’s words', async () => {
    const { list, answer } = await start();
    const cases: [status: number, code: string, kind: string][] = [
      [401, 'UNAUTHORIZED', 'tokenExpired'],
      [403, 'AUTHORIZATION_PERMISSION_DENIED', 'setup'],
      [429, 'TOO_MANY', 'rateLimited'],
      [500, 'INTERNAL', 'transient'],
    ];
    for (const [status, error_code, kind] of cases) {
      answer({ request_status: 'ERROR', error_code, display_message: 'Something was wrong.' }, status);
      const failure = await failureOf(list());
      expect(failure).toMatchObject({ kind });
      expect(failure?.detail.text).toContain('Something was wrong.');
    }
    answer('<html>');
    expect(await failureOf(list())).toMatchObject({ kind: 'transient' });
  });
});
