import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FormCondition, FormText } from '../../src/connectors/contract.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { formFor, propertiesOf } from '../../src/posts/form.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';

const NOTHING = { choices: {}, choiceValues: {} };

describe.each(Object.values(connectors))('the form of $id', (connector) => {
  const { form } = connector;
  const shown = formFor(connector, NOTHING);
  const conditions: FormCondition[] = Object.values(form?.fields ?? {}).flatMap(({ when, blocked, notes }) => [
    ...(when ? [when] : []),
    ...[...(blocked ?? []), ...(notes ?? [])].map((each) => each.when),
  ]);

  test('has every option exactly once', () => {
    const options = Object.keys(propertiesOf(connector));
    const asked = Object.entries(form?.fields ?? {}).flatMap(([name, { pageOnly }]) => (pageOnly ? [] : [name]));
    expect([...asked, ...(form?.omitted ?? [])].sort()).toEqual(options.sort());
  });

  test('offers only values that the connector accepts', () => {
    for (const { name, type, values = [] } of shown.fields)
      for (const { value } of values) {
        const wanted = type === 'flag' ? value === 'true' : type === 'choices' ? [value] : value;
        expect(connector.options?.safeParse({ [name]: wanted }).success, `${name} ${value}`).toBe(true);
      }
  });

  test('labels every value in both languages', () => {
    const texts: FormText[] = shown.fields.flatMap(({ label, hint, values = [] }) => [
      label,
      ...(hint ? [hint] : []),
      ...values.map((each) => each.label),
    ]);
    for (const { en, de } of [...texts, ...(form?.declarations ?? []).map(({ text }) => text)])
      for (const text of [en, de]) {
        expect(text.trim()).not.toBe('');
        for (const [, address = ''] of text.matchAll(/\]\(([^)]*)\)/g)) expect(address).toMatch(/^https:\/\//);
      }
  });

  test('names every setting of an account in both languages', () => {
    const settings = form?.settings ?? {};
    expect(Object.keys(settings)).toEqual(connector.choices.map(({ name }) => name));
    for (const { name, values } of connector.choices) {
      const { label, values: titles } = settings[name] ?? {};
      for (const text of [label, ...Object.values(titles ?? {})])
        expect(text).toEqual({ en: expect.stringMatching(/./), de: expect.stringMatching(/./) });
      if (titles) expect(Object.keys(titles).sort()).toEqual(values.map(({ value }) => value).sort());
    }
  });

  test('depends only on fields that exist', () => {
    const names = Object.keys(form?.fields ?? {});
    const named = [
      ...conditions.flatMap((when) => Object.keys(when)),
      ...Object.values(form?.fields ?? {}).flatMap(({ oneOf }) => oneOf?.fields ?? []),
      ...(form?.declarations ?? []).flatMap(({ when = {} }) => Object.keys(when)),
    ];
    expect(named.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('for an account', () => {
  const field = (platform: keyof typeof connectors, name: string, account = NOTHING) =>
    formFor(connectors[platform], account).fields.find((each) => each.name === name);

  test('values and switches are limited to what the account allows', () => {
    const account = {
      choices: { privacy: 'SELF_ONLY' },
      choiceValues: { privacy: ['FOLLOWER_OF_CREATOR', 'SELF_ONLY'], duet: ['off'] },
    };
    const privacy = field('tiktok', 'privacy', account);
    expect(privacy?.values?.map(({ value }) => value)).toEqual(['FOLLOWER_OF_CREATOR', 'SELF_ONLY']);
    expect(privacy).toMatchObject({ ask: true });
    expect(privacy).not.toHaveProperty('preset');
    expect(field('tiktok', 'disableDuet', account)?.unavailable?.en).toContain('turned off');
    expect(field('tiktok', 'disableComment', account)).not.toHaveProperty('unavailable');
  });

  test('a required setting is asked only if it is missing', () => {
    const choiceValues = { board: [{ value: '5211', label: 'Clips' }] };
    expect(field('pinterest', 'board', { choices: {}, choiceValues } as never)).toMatchObject({
      type: 'choice',
      ask: true,
      values: [{ value: '5211', label: { en: 'Clips', de: 'Clips' } }],
    });
    const chosen = { choices: { board: '5211' }, choiceValues } as never;
    expect(field('pinterest', 'board', chosen)).toMatchObject({ ask: false, preset: 'Clips' });
  });
});

describe('the operations', () => {
  let service: TestService;
  let user: SessionUser;
  let id: string;
  beforeAll(async () => {
    service = await startService({ config: { leastFreeBytes: 0 } });
    user = await service.newSession();
    const request = { userId: user.userId, platform: 'x', username: 'nora', privacy: 'public', actor: 'test' };
    id = (await service.context.accounts.connectSandbox(request))[0]?.id ?? '';
  });
  afterAll(() => service.close());

  test('an account has the form of its platform', async () => {
    const { body } = await user.get(`/post-forms/${id}`);
    expect(body.data.fields.map(({ name }: { name: string }) => name)).toEqual([
      'replySettings',
      'madeWithAi',
      'paidPartnership',
    ]);
  });

  test('captions are counted as the platform does', async () => {
    const count = async (description: string, options = {}) =>
      (await user.post('/dashboard/captions', { platforms: [id], description, options })).body.data[0];
    expect(await count('🌅 https://example.org/a/very/long/address')).toEqual({
      id,
      length: 26,
      limit: 280,
      unit: 'characters',
      problem: null,
    });
    expect(await count('x'.repeat(281))).toMatchObject({ length: 281, problem: expect.stringContaining('280') });
    expect(await count('x'.repeat(281), { x: { caption: 'short' } })).toMatchObject({ length: 5, problem: null });
  });

  test('a text that no post may have is not counted', async () => {
    const send = (given: object) => user.post('/dashboard/captions', { platforms: [id], description: '', ...given });
    expect((await send({ description: '👍'.repeat(5_000) })).body.data[0].problem).not.toBeNull();
    const long = '👍'.repeat(5_001);
    for (const given of [{ description: long }, { options: { x: { caption: long } } }]) {
      const { status, body } = await send(given);
      expect([status, body.message]).toEqual([400, 'The description has 5,001 characters. The maximum is 5,000.']);
    }
    const refused = await send({
      options: { x: { caption: 'x'.repeat(100_001) }, [id]: { caption: 'x'.repeat(100_000) } },
    });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toBe('The field "options" is invalid: must have at most 200,000 characters.');
  });

  test('an account is read from its platform on request', async () => {
    await service.db.query("update account set display_name = 'old' where id = $1", [id]);
    const { body } = await user.call('POST', `/dashboard/accounts/${id}/refresh`);
    expect(body).toMatchObject({ fresh: true, data: { id } });
    expect(body.data.displayName).not.toBe('old');
  });

  test('an account is read from its platform once a minute', async () => {
    const path = `/dashboard/accounts/${id}/refresh`;
    await service.db.clock.advance(61_000);
    const stranger = await service.newSession();
    expect((await stranger.call('POST', path)).status).toBe(404);
    const refresh = async () => (await user.call('POST', path)).body;
    const first = await refresh();
    await service.db.clock.advance(50_000);
    const second = await refresh();
    expect(second).toEqual({ ...first, fresh: true });
    await service.db.clock.advance(61_000);
    const third = await refresh();
    expect(third.fresh).toBe(true);
    expect(Date.parse(third.data.checkedAt) - Date.parse(first.data.checkedAt)).toBeGreaterThanOrEqual(111_000);
  });

  test('an account whose response is missing is not fresh', async () => {
    await service.db.clock.advance(61_000);
    await user.call('POST', `/dashboard/accounts/${id}/refresh`);
    await service.db.query("update account set checked_at = app_now() - interval '1 day' where id = $1", [id]);
    const { body } = await user.call('POST', `/dashboard/accounts/${id}/refresh`);
    expect(body.fresh).toBe(false);
  });

  test("another user's account is unknown", async () => {
    const stranger = await service.newSession();
    expect((await stranger.get(`/post-forms/${id}`)).body.code).toBe('unknown_platform');
    expect((await stranger.call('POST', `/dashboard/accounts/${id}/refresh`)).body.code).toBe('unknown_platform');
    const body = { platforms: [id], description: '' };
    expect((await stranger.post('/dashboard/captions', body)).body.code).toBe('unknown_platform');
  });
});
