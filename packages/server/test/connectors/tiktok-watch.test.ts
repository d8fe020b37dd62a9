import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { phoneOf } from '../../../sandbox/test/harness/phone.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/tiktok/index.ts';
import { describeWatch } from '../suites/watch.ts';
import { isList, startTikTok } from './tiktok-driver.ts';
import { failureOf } from './walk.ts';

const { watch } = connector;

const start = closedAfterTest(async () => {
  const tiktok = await startTikTok();
  const session = await tiktok.open(await tiktok.connect());
  const list = (cursor = '') => watch.list(session, { cursor, since: 0, mark: null });
  const answer = (body: string | JsonObject, status = 200) =>
    tiktok.faults.add({ when: isList, times: 1, fault: { kind: 'status', answer: { status, body } } });
  return { ...tiktok, list, answer, phone: phoneOf(tiktok, 'nora.cuts') };
});

const startPlain = closedAfterTest(startTikTok);

describeWatch({
  platform: 'tiktok',
  username: 'nora.cuts',
  pageSize: 20,
  isList: isList,
  async start() {
    const drive = await startPlain();
    return { drive, work: await drive.work('made with Reelay') };
  },
});

describe('watching a TikTok account', () => {
  test('finds public posts of the app, without a file', async () => {
    const { list, phone, clock } = await start();
    await phone.post('for few', { audience: 'limited' });
    const { id, url } = await phone.post('Sunset #sea');
    expect(connector.capabilities.watch).toBe('announce');
    expect(watch).not.toHaveProperty('file');
    expect(await list()).toEqual({
      posts: [
        {
          remoteId: id,
          publishedAt: Math.floor(clock.now / 1000) * 1000,
          text: 'Sunset #sea',
          url,
          durationMs: 12_000,
          width: 1080,
          height: 1920,
          isPublic: true,
          file: null,
        },
      ],
      next: '',
    });
  });

  test('does not see a deleted post', async () => {
    const { list, phone } = await start();
    const { id } = await phone.post('one');
    await phone.remove(id);
    expect((await list()).posts).toEqual([]);
  });

  test('skips malformed items', async () => {
    const { list, answer } = await start();
    const odd: JsonObject[] = [{}, { id: '' }, { id: 'abc' }];
    const videos = [null, 'x', ...odd, { id: '7412345678901234567', title: 'seen' }];
    answer({ data: { videos, has_more: true, cursor: 'x' }, error: { code: 'ok' } });
    expect(await list()).toEqual({
      posts: [
        {
          remoteId: '7412345678901234567',
          publishedAt: null,
          text: 'seen',
          url: null,
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

  test('reports errors in TikTok’s words', async () => {
    const { list, answer } = await start();
    const cases: [status: number, code: string, kind: string][] = [
      [401, 'access_token_invalid', 'tokenExpired'],
      [401, 'scope_not_authorized', 'reconnect'],
      [429, 'rate_limit_exceeded', 'rateLimited'],
      [500, 'internal_error', 'transient'],
    ];
    for (const [status, code, kind] of cases) {
      answer({ error: { code, message: 'Something was wrong.' } }, status);
      const failure = await failureOf(list());
      expect(failure).toMatchObject({ kind });
      expect(failure?.detail.text).toContain('Something was wrong.');
    }
    answer('<html>');
    expect(await failureOf(list())).toMatchObject({ kind: 'transient' });
  });
});
