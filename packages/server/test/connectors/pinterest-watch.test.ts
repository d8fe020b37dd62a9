import type { Pin } from '@reelay/sandbox/platforms/pinterest/records.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { phoneOf } from '../../../sandbox/test/harness/phone.ts';
import type { JsonObject } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/pinterest/index.ts';
import { describeWatch } from '../suites/watch.ts';
import type { Call } from './drive.ts';
import { startPinterest } from './pinterest-driver.ts';
import { failureOf } from './walk.ts';

const { watch } = connector;
const isPins = ({ method, path }: Call) => method === 'GET' && /^\/v5\/pins(\?|$)/.test(path);

const start = closedAfterTest(async () => {
  const pinterest = await startPinterest();
  const session = await pinterest.open(await pinterest.connect());
  const list = (cursor = '') => watch.list(session, { cursor, since: 0, mark: null });
  const answer = (body: string | JsonObject, status = 200) =>
    pinterest.faults.add({ when: isPins, times: 1, fault: { kind: 'status', answer: { status, body } } });
  return { ...pinterest, list, answer, phone: phoneOf(pinterest, 'nora') };
});

const startPlain = closedAfterTest(startPinterest);

describeWatch({
  platform: 'pinterest',
  username: 'nora',
  pageSize: 250,
  isList: isPins,
  async start() {
    const drive = await startPlain();
    return { drive, work: await drive.work('made with Reelay') };
  },
});

describe('watching a Pinterest account', () => {
  test('finds pins of the app, without a file', async () => {
    const { list, phone, clock } = await start();
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

  test('marks pins of secret and unknown boards as not public', async () => {
    const { list, phone, store } = await start();
    await phone.post('secret', { audience: 'limited' });
    const { id } = await phone.post('elsewhere');
    await store.change<Pin>('pin', id, (pin) => pin && { ...pin, boardId: '12' });
    await phone.post('open');
    const seen = (await list()).posts.map(({ text, isPublic }) => [text, isPublic]);
    expect(Object.fromEntries(seen)).toEqual({ secret: false, elsewhere: false, open: true });
  });

  test('joins title and description', async () => {
    const { list, pinByHand } = await start();
    await pinByHand({ title: 'A title', description: 'About it.' });
    expect((await list()).posts[0]?.text).toBe('A title\n\nAbout it.');
  });

  test('sees edits, and no deleted pins or saves', async () => {
    const { list, phone, pinByHand } = await start();
    const { id } = await phone.post('before');
    await phone.edit(id, 'after');
    const { id: deleted } = await phone.post('deleted');
    await phone.remove(deleted);
    await pinByHand({ description: 'saved', savedFrom: '12' });
    expect((await list()).posts.map(({ text }) => text)).toEqual(['after']);
  });

  test('skips malformed items, saves and pictures', async () => {
    const { list, answer } = await start();
    const odd: JsonObject[] = [
      {},
      { id: 'x' },
      { id: '1', is_owner: false },
      { id: '2', parent_pin_id: '1' },
      { id: '3', creative_type: 'REGULAR' },
      { id: '4', created_at: '2099-01-01T00:00:00' },
    ];
    answer({ items: [null, 'x', ...odd], bookmark: null });
    expect((await list()).posts).toMatchObject([
      { remoteId: '4', publishedAt: null, text: '', durationMs: null, isPublic: false },
    ]);
  });

  test('reports errors in Pinterest’s words', async () => {
    const { list, answer } = await start();
    const cases: [status: number, code: number, kind: string][] = [
      [401, 2, 'tokenExpired'],
      [429, 8, 'rateLimited'],
      [500, 12, 'transient'],
    ];
    for (const [status, code, kind] of cases) {
      answer({ code, message: 'Something was wrong.' }, status);
      const failure = await failureOf(list());
      expect(failure).toMatchObject({ kind });
      expect(failure?.detail.text).toContain('Something was wrong.');
    }
    for (const body of ['<html>', {}, { items: {} }] as (string | JsonObject)[]) {
      answer(body);
      expect(await failureOf(list())).toMatchObject({ kind: 'transient' });
    }
  });
});
