import type { Medium } from '@reelay/sandbox/platforms/instagram/records.ts';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import { FILM, phoneOf } from '../../../sandbox/test/harness/graph-phone.ts';
import type { Tokens } from '../../src/connectors/contract.ts';
import { connector } from '../../src/connectors/instagram/index.ts';
import { describeWatch } from '../suites/watch.ts';
import { watches, watching } from './graph-watching.ts';
import { type Instagram, isList, isReel, startInstagram } from './instagram-driver.ts';

const start = closedAfterTest(startInstagram);
const change = ({ store }: Instagram, id: string, values: Partial<Medium>) =>
  store.change<Medium>('media', id, (known) => known && { ...known, ...values });

describe.each(['instagram', 'facebook'] as const)('%s login', (login) => {
  watches<Instagram>({
    connector,
    start: () => start({ login }),
    session: async (drive) => drive.open(await drive.connect()),
    flag: (drive, id) => change(drive, id, { flagged: true }),
    setFileLife: (drive, fileLifeMs) => drive.set({ fileLifeMs }),
    isList,
    isNode: isReel,
    facts: {},
  });
  describeWatch({
    platform: 'instagram',
    username: 'nora.cuts',
    pageSize: 50,
    isList,
    async start() {
      const drive = await start({ login });
      return { drive, work: await drive.work('made with Reelay') };
    },
  });
});

async function begin(login: 'instagram' | 'facebook' = 'instagram') {
  const drive = await start({ login });
  const tokens: Tokens = await drive.connect();
  const session = await drive.open(tokens);
  return { drive, session, tokens, phone: phoneOf(drive, 'nora.cuts'), ...watching(connector, drive, session) };
}

test.each([
  [{ kind: 'photo' }, []],
  [{ kind: 'carousel', children: ['IMAGE', 'IMAGE'] }, []],
  [{ kind: 'carousel' }, []],
] as [Partial<Medium>, string[]][])('%j is not listed', async (values) => {
  const { drive, phone, posts } = await begin();
  await change(drive, (await phone.post('x')).id, values);
  expect(await posts()).toEqual([]);
});

test('a carousel with a video has no file, with reason', async () => {
  const { drive, phone, posts } = await begin();
  const { id } = await phone.post('x');
  await change(drive, id, { kind: 'carousel', children: ['IMAGE', 'VIDEO'] });
  const problem = expect.objectContaining({ text: 'The post has several photos or videos.' });
  expect(await posts()).toMatchObject([{ remoteId: id, text: 'x', file: null, problem }]);
});

test('a post without a URL has one from its shortcode', async () => {
  const { drive, session, list } = await begin();
  const data = [{ id: '1', media_type: 'VIDEO', shortcode: 'Ab_-1' }];
  drive.faults.add({ when: isList, times: 1, fault: { kind: 'status', answer: { status: 200, body: { data } } } });
  expect((await list()).posts[0]?.url).toBe(`${session.endpoints.instagram}/reel/Ab_-1/`);
});

test('each read spends one call of the budget', async () => {
  const { drive, phone, list, file } = await begin();
  const { id } = await phone.post('x');
  const before = drive.spent.length;
  await list();
  await file(id);
  expect(drive.spent.slice(before)).toEqual(['calls', 'calls']);
});

describe('a Page token that Meta hides objects from', () => {
  const isHidden = (call: { method: string; path: string }) => isReel(call) || isList(call);
  const hidden = { status: 400, body: { error: { code: 100, error_subcode: 33, message: 'Not there.' } } };

  test('lists with the person’s token', async () => {
    const { drive, phone, texts } = await begin('facebook');
    await phone.post('x');
    drive.faults.add({ when: isHidden, times: 1, fault: { kind: 'status', answer: hidden } });
    expect(await texts()).toEqual(['x']);
  });

  test('gets the file with the person’s token', async () => {
    const { drive, phone, bytes } = await begin('facebook');
    const { id } = await phone.post('x');
    await drive.set({ hiddenFromPages: true });
    expect(await bytes(id)).toEqual(FILM);
    expect(drive.requests.filter(isList)).toEqual([]);
  });

  test('the file comes from the list without the person’s token', async () => {
    const { drive, phone, session, tokens } = await begin('facebook');
    const { id } = await phone.post('x');
    await drive.set({ hiddenFromPages: true });
    const ended = { ...session, secret: { ...tokens.secret, accessToken: 'EAAended' } };
    expect(await watching(connector, drive, ended).bytes(id)).toEqual(FILM);
  });
});
