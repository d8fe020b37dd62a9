/** Line breaks of texts: every form counts once and is sent as LF. */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cleanJson } from '../../src/errors/client-text.ts';
import type { AccountRow } from '../harness/rows.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { addReadyAccount, queuePost, sendPost, startPostService } from './world.ts';

let service: TestService;
let user: TestUser;
let account: AccountRow;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
  account = await addReadyAccount(service.db, user.userId, { platform: 'x' });
});
afterAll(() => service.close());

/** 279 characters on X with one character for each line break, 418 with two. */
const lines = (lineBreak: string) => Array.from({ length: 140 }, () => 'a').join(lineBreak);
const storedCaption = async () => (await service.db.query('select caption from target'))[0]?.caption;

describe.each(['\r\n', '\r'])('the line break %j', (lineBreak) => {
  test('counts once and becomes LF in a form', async () => {
    const fields = [['description', lines(lineBreak)]] as const;
    const { status, body } = await sendPost(user, { to: [account.id], fields });
    expect([status, body.message]).toEqual([200, undefined]);
    const [entry] = (await user.get('/post/history')).body.data;
    expect(entry.description).toBe(lines('\n'));
  });

  test('counts once and becomes LF in an option', async () => {
    await service.db.execute('delete from target');
    const fields = [['options', JSON.stringify({ x: { caption: lines(lineBreak) } })]] as const;
    expect((await sendPost(user, { to: [account.id], fields })).status).toBe(200);
    expect(await storedCaption()).toBe(lines('\n'));
  });

  test('counts once and becomes LF in an edit', async () => {
    const at = (await service.db.clock.now()).getTime() + 3_600_000;
    const id = await queuePost(service, user.userId, [account], { at });
    const { status, body } = await user.call('PATCH', `/post/${id}`, { json: { description: lines(lineBreak) } });
    expect([status, body.data?.description]).toEqual([200, lines('\n')]);
  });
});

test('no other character of JSON changes', () => {
  const unified = (text: string) => text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
  const value = (text: (original: string) => string) => (original: string) => ({ a: [text(original), 1], b: null });
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('\r', '\n', 'a', '😀', '\t', '\u2028') }), (text) => {
      expect(cleanJson(value(String)(text))).toEqual(value(unified)(text));
      expect(cleanJson(text)).toBe(unified(text));
    }),
  );
});

test('a rule has LF in its options', async () => {
  const to = await addReadyAccount(service.db, user.userId, { platform: 'bluesky' });
  const options = { caption: { append: 'From\r\nthere' } };
  const { body } = await user.post('/repost/add', { from: account.id, to: [to.id], options });
  const rules = (await user.get('/reposts')).body.data as { id: string; options: { caption: { append: string } } }[];
  expect(rules.find(({ id }) => id === body.id)?.options.caption.append).toBe('From\nthere');
});
