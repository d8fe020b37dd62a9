import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseOptions } from '../../src/operations/post/fields.ts';
import { optionsFor, rejectUnknownOptions } from '../../src/posts/options.ts';

import type { TestService, TestUser } from '../harness/service.ts';
import { countWork } from '../harness/work.ts';
import { addReadyAccount, sendPost, startPostService } from './world.ts';

const connector = {
  name: 'Toy',
  options: z.strictObject({ title: z.string().max(5), tags: z.array(z.string()) }).partial(),
};
const account = { id: '019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b', platform: 'toy' };
const refusalOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was refused';
};

describe('parsing options', () => {
  test.each([
    '',
    'no',
    '[]',
    'null',
    '"a"',
    '1',
    '{"toy":1}',
    '{"toy":null}',
    '{"toy":[]}',
    '{"toy":{"caption":"\\u0000"}}',
    '{"toy":{"\\ud800":1}}',
  ])('rejects another form: %s', (text) =>
    expect(refusalOf(() => parseOptions(text))).toMatch(/^The form field "options/),
  );

  test('never fails with another error', () => {
    const anything = fc.oneof(
      fc.json(),
      fc.string(),
      fc.json().map((json) => `{"toy":${json}}`),
    );
    fc.assert(
      fc.property(anything, (text) => {
        try {
          optionsFor(account, parseOptions(text), connector);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_request' });
        }
      }),
    );
  });

  test('rejects a nesting depth of a hundred thousand', () => {
    const deep = `{"toy":{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    expect(refusalOf(() => optionsFor(account, parseOptions(deep), connector))).toMatch(/options/);
  });

  test('rejects options without an account by name', () => {
    const stray = (text: string) => refusalOf(() => rejectUnknownOptions(parseOptions(text), [account]));
    expect(stray('{"toy":{},"other":{}}')).toBe('The field "options.other" matches none of the selected accounts.');
    expect(stray('{"Toi":{}}')).toBe(
      'The field "options.Toi" matches none of the selected accounts. Did you mean "toy"?',
    );
    expect(stray('{"__proto__":{}}')).toContain('options.__proto__');
    expect(stray(`{"toy":{},"${account.id}":{}}`)).toBe('nothing was refused');
  });
});

test.each([
  [{ toy: { titel: 'a' } }, 'options.toy.titel', 'title'],
  [{ toy: { Tags: [] } }, 'options.toy.Tags', 'tags'],
  [{ [account.id]: { captoin: 'a' } }, `options.${account.id}.captoin`, 'caption'],
])('an option that is misspelled is suggested: %j', (sent, path, near) => {
  expect(refusalOf(() => optionsFor(account, parseOptions(JSON.stringify(sent)), connector))).toBe(
    `The field "${path}" is unknown to Toy. Did you mean "${near}"?`,
  );
});

test('all unknown options are named', () => {
  const refusal = (toy: object) =>
    refusalOf(() => optionsFor(account, parseOptions(JSON.stringify({ toy })), connector));
  expect(refusal({ titel: 'a', colour: 'b' })).toBe(
    'The fields "options.toy.titel", "options.toy.colour" are unknown to Toy. Did you mean "title"?',
  );
  expect(refusal({ shape: 'a', colour: 'b' })).toBe(
    'The fields "options.toy.shape", "options.toy.colour" are unknown to Toy.',
  );
});

test('a post with many unknown options compares ten', async () => {
  const sent = parseOptions(
    JSON.stringify({ toy: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`title${at}`, at])) }),
  );
  const { result, work } = await countWork(async () => refusalOf(() => optionsFor(account, sent, connector)));
  expect(result).toMatch(/"options\.toy\.title9", … are unknown to Toy\. Did you mean "title"\?$/);
  expect(work.characters).toBeLessThan(10_000);
});

test.each([
  [{ privacy: 'pubic' }, 'privacy" is invalid: must be one of: public, private.'],
  [{ title: 'too long' }, 'title" is invalid: must have at most 5 characters.'],
  [{ title: 1 }, 'title" is invalid: must be a string.'],
  [{ link: 'a' }, 'link" is invalid: is not a link of ours.'],
])('an invalid option says what is allowed: %j', (toy, problem) => {
  const strict = z
    .strictObject({
      title: z.string().max(5),
      privacy: z.enum(['public', 'private']),
      link: z.string().startsWith('toy:', 'is not a link of ours'),
    })
    .partial();
  const refusal = refusalOf(() =>
    optionsFor(account, parseOptions(JSON.stringify({ toy })), { ...connector, options: strict }),
  );
  expect(refusal).toBe(`The field "options.toy.${problem}`);
});

describe('options of one account', () => {
  const of = (sent: unknown) => optionsFor(account, parseOptions(JSON.stringify(sent)), connector);

  test('override those of its platform', () => {
    expect(of({})).toEqual({ caption: null, options: {} });
    const sent = {
      toy: { caption: 'all', title: 'one', tags: ['a'] },
      [account.id]: { caption: 'mine', title: 'two' },
    };
    expect(of(sent)).toEqual({ caption: 'mine', options: { title: 'two', tags: ['a'] } });
  });

  test('are rejected with the path of the error', () => {
    expect(refusalOf(() => of({ toy: { title: 'too long' } }))).toMatch(/"options\.toy\.title" is invalid/);
    expect(refusalOf(() => of({ toy: { tags: ['a', 1] } }))).toMatch(/"options\.toy\.tags\.1" is invalid/);
    expect(refusalOf(() => of({ [account.id]: { tags: [1] } }))).toContain(`"options.${account.id}.tags.0" is invalid`);
    expect(refusalOf(() => of({ toy: { nonsense: 1 } }))).toBe('The field "options.toy.nonsense" is unknown to Toy.');
    expect(refusalOf(() => of({ [account.id]: { title: 1 } }))).toContain(`options.${account.id}.title`);
    expect(refusalOf(() => of({ toy: { caption: 1 } }))).toContain('options.toy.caption');
    expect(refusalOf(() => of({ toy: JSON.parse('{"__proto__":1}') }))).toContain('options.toy.__proto__');
    const bare = { name: 'Bare' };
    const title = parseOptions('{"toy":{"title":"a"}}');
    expect(refusalOf(() => optionsFor(account, title, bare))).toMatch(/Bare supports only "caption"/);
  });
});

describe('POST /post', () => {
  let service: TestService;
  let user: TestUser;
  beforeAll(async () => {
    service = await startPostService();
    user = await service.newUser();
  });
  afterAll(() => service.close());

  test('stores and shows one account’s own caption', async () => {
    const accounts = [await addReadyAccount(service.db, user.userId), await addReadyAccount(service.db, user.userId)];
    const [first, second] = accounts.map(({ id }) => id);
    const options = JSON.stringify({ [second ?? '']: { caption: 'Only here' } });
    const sent = await sendPost(user, {
      to: [first, second].map(String),
      fields: [
        ['description', 'For all'],
        ['options', options],
      ],
    });
    expect(sent.status).toBe(200);
    const { body } = await user.get(`/post/${sent.body.historyId}`);
    expect(body.data.targets.map((target: { caption?: string }) => target.caption)).toEqual([undefined, 'Only here']);
    const texts = await service.db.query(
      'select coalesce(t.caption, p.description) as text from target t join post p on p.id = t.post_id where p.id = $1 order by position',
      [sent.body.historyId],
    );
    expect(texts).toEqual([{ text: 'For all' }, { text: 'Only here' }]);
  });

  test('compares each caption with its account’s limit', async () => {
    const strict = await addReadyAccount(service.db, user.userId);
    const caption = { maxLength: 10, unit: 'codepoints' };
    await service.db.execute(
      `update account set capabilities = capabilities || jsonb_build_object('caption', $2::jsonb) where id = $1`,
      [strict.id, JSON.stringify(caption)],
    );
    const long = 'more than ten characters';
    const short = JSON.stringify({ [strict.id]: { caption: 'short' } });
    const refused = await sendPost(user, { to: [strict.id], fields: [['description', long]] });
    expect(refused.body.code).toBe('caption_too_long');
    expect(
      (
        await sendPost(user, {
          to: [strict.id],
          fields: [
            ['description', long],
            ['options', short],
          ],
        })
      ).status,
    ).toBe(200);
    const both = await sendPost(user, {
      to: [strict.id],
      fields: [
        ['description', 'ok'],
        ['options', JSON.stringify({ [strict.id]: { caption: long } })],
      ],
    });
    expect(both.body.code).toBe('caption_too_long');
  });

  describe('an option that makes a choice', () => {
    const privacyFor = (id: string, privacy: string) =>
      sendPost(user, { to: [id], fields: [['options', JSON.stringify({ [id]: { privacy } })]] });
    const withChoices = async (choices: object, allowed: object) => {
      const account = await addReadyAccount(service.db, user.userId);
      await service.db.execute('update account set choices = $2, choice_values = $3 where id = $1', [
        account.id,
        JSON.stringify(choices),
        JSON.stringify(allowed),
      ]);
      return account.id;
    };

    test('is limited to what the account may choose', async () => {
      const id = await withChoices({ privacy: 'SELF_ONLY' }, { privacy: ['SELF_ONLY', 'FOLLOWER_OF_CREATOR'] });
      const refused = await privacyFor(id, 'PUBLIC_TO_EVERYONE');
      expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
      expect(refused.body.message).toContain('"options.tiktok.privacy" cannot be "PUBLIC_TO_EVERYONE"');
      expect(refused.body.message).toContain('Allowed: SELF_ONLY, FOLLOWER_OF_CREATOR');
      expect((await privacyFor(id, 'FOLLOWER_OF_CREATOR')).status).toBe(200);
    });

    test('replaces the owner’s missing choice', async () => {
      const id = await withChoices({}, {});
      const said = await privacyFor(id, 'SELF_ONLY');
      expect(said.status).toBe(200);
      const [row] = await service.db.query<{ options: object }>('select options from target where post_id = $1', [
        said.body.historyId,
      ]);
      expect(row?.options).toEqual({ privacy: 'SELF_ONLY' });
      const unsaid = await sendPost(user, { to: [id], fields: [['options', '{"tiktok":{"disableDuet":true}}']] });
      expect([unsaid.status, unsaid.body.code]).toEqual([409, 'setup_needed']);
    });
  });

  test('counts what an option adds to the text', async () => {
    const { id } = await addReadyAccount(service.db, user.userId, { platform: 'mastodon' });
    const warned = (length: number) =>
      sendPost(user, {
        to: [id],
        fields: [
          ['description', 'a'.repeat(490)],
          ['options', JSON.stringify({ mastodon: { spoilerText: 'b'.repeat(length) } })],
        ],
      });
    expect((await warned(10)).status).toBe(200);
    const refused = await warned(11);
    expect(refused.body.code).toBe('caption_too_long');
    expect(refused.body.message).toContain('501');
  });

  test.each(['nonsense', '[]', '{"youtube":{}}', '{"__proto__":{"caption":"x"}}'])(
    'rejects options %s and stores nothing',
    async (options) => {
      const account = await addReadyAccount(service.db, user.userId);
      const before = (await user.get('/post/history')).body.total;
      const sent = await sendPost(user, { to: [account.id], fields: [['options', options]] });
      expect([sent.status, sent.body.code]).toEqual([400, 'invalid_request']);
      expect((await user.get('/post/history')).body.total).toBe(before);
    },
  );

  test('the same key with other options is different content', async () => {
    const account = await addReadyAccount(service.db, user.userId);
    const headers = { 'idempotency-key': 'with options' };
    const of = (caption: string) => [['options', JSON.stringify({ [account.id]: { caption } })]] as const;
    expect((await sendPost(user, { to: [account.id], headers, fields: of('a') })).status).toBe(200);
    const replayed = await sendPost(user, { to: [account.id], headers, fields: of('a') });
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    const other = await sendPost(user, { to: [account.id], headers, fields: of('b') });
    expect(other.body.code).toBe('idempotency_key_reused');
  });
});
