import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkChoices, ownChoices, valueMeant, valuesOf } from '../../src/accounts/settings/account-settings.ts';
import type { Choice } from '../../src/connectors/contract.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { eventually, sendPost } from '../post/world.ts';

let service: TestService;
let user: SessionUser;
beforeAll(async () => {
  service = await startService({ config: { leastFreeBytes: 0 } });
  user = await service.newSession();
});
afterAll(() => service.close());

async function connect(platform: string, username: string, userId = user.userId): Promise<string> {
  const { accounts } = service.context;
  const request = { userId, platform, username, privacy: 'public', actor: 'test' };
  return (await accounts.connectSandbox(request))[0]?.id ?? '';
}

const board: Choice = {
  name: 'board',
  label: 'which board',
  required: true,
  values: [
    { value: 'PUBLIC', label: 'The oldest public one' },
    { value: 'SECRET', label: 'The oldest secret one' },
  ],
};
const stored = {
  board: [
    { value: 'PUBLIC', label: 'The oldest public one (Clips)' },
    { value: '5211', label: 'Clips' },
    { value: '5212', label: 'Twice' },
    { value: '5213', label: 'Twice' },
  ],
};

test.each([
  ['its value', '5211', '5211'],
  ['its name, whatever the case', 'cLIPS', '5211'],
  ['the beginning of a kind', 'pub', 'PUBLIC'],
])('a board is found by %s', (_how, word, value) => {
  expect(valueMeant(board, word, stored)).toBe(value);
});

test.each([
  ['a name that two have', 'twice'],
  ['the beginning of a number', '52'],
  ['a kind that the account has none of', 'secret'],
])('no board is found by %s', (_how, word) => {
  expect(valueMeant(board, word, stored)).toBeUndefined();
});

test('values stored without labels by earlier versions are readable', () => {
  const old = { board: ['PUBLIC', '5211'] };
  expect(valuesOf(board, old)).toEqual([
    { value: 'PUBLIC', label: 'The oldest public one' },
    { value: '5211', label: '5211' },
  ]);
  expect(ownChoices([board], { choices: { board: '5211' }, choiceValues: old })[0]).toMatchObject({ value: '5211' });
  expect(ownChoices([board], { choices: {}, choiceValues: {} })[0]).toMatchObject({
    value: null,
    values: board.values,
  });
});

test('an error lists the first of many possible values', () => {
  const many = { board: Array.from({ length: 30 }, (_, index) => ({ value: `${index}`, label: `Board ${index}` })) };
  expect(() => checkChoices([board], { board: 'x' }, many)).toThrow(/0 \(Board 0\),.* 19 \(Board 19\) and 10 more\./);
  expect(() => checkChoices([board], { board: 'x' }, { board: [] })).toThrow('"board" must be one of: none.');
});

test('an account shows its choices by key and session', async () => {
  const id = await connect('pinterest', 'chooser');
  const { body } = await user.get(`/accounts/${id}`);
  const listed = (await user.get('/platform/platforms')).body.data.find((each: { id: string }) => each.id === id);
  expect(body.data).toEqual({
    ...listed,
    choices: [
      {
        name: 'board',
        label: 'which board the videos are pinned to',
        title: { en: 'Board', de: 'Pinnwand' },
        required: true,
        value: 'PUBLIC',
        values: [
          { value: 'PUBLIC', label: 'The oldest public board (Clips)', title: null },
          { value: 'SECRET', label: 'The oldest secret board (Drafts)', title: null },
          { value: expect.stringMatching(/^\d+$/), label: expect.any(String), title: null },
          { value: expect.stringMatching(/^\d+$/), label: expect.any(String), title: null },
        ],
      },
    ],
    access: { endsAt: expect.stringMatching(/Z$/), renewed: true },
    checkedAt: expect.stringMatching(/Z$/),
    postsLeft: null,
    disconnecting: { posts: 0, rules: 0, changedRules: 0 },
  });
  const keyed = await service.newUser();
  const own = await connect('mastodon', 'keyed', keyed.userId);
  expect((await keyed.get(`/accounts/${own}`)).body.data).toMatchObject({ id: own, choices: [] });
  expect((await keyed.get(`/accounts/${id}`)).body.code).toBe('unknown_platform');
});

test('changes a choice by name or value for later posts', async () => {
  const id = await connect('pinterest', 'changer');
  const patch = (choices: Record<string, string>) => user.call('PATCH', `/accounts/${id}`, { json: { choices } });
  const boards = (await user.get(`/accounts/${id}`)).body.data.choices[0].values;
  const drafts = boards.find(({ label }: { label: string }) => label === 'Drafts').value;
  const changed = await patch({ board: 'drafts' });
  expect([changed.status, changed.body.data.choices[0].value]).toEqual([200, drafts]);
  const open = await service.context.accounts.sessions.open(id, {
    minLifeMs: 0,
    now: Date.now,
    spend: async () => {},
    countReads: async () => {},
  });
  expect(open.session.choices).toEqual({ board: drafts });
  const audit = await service.db.query('select actor, action from audit where subject = $1 and action = $2', [
    id,
    'account.choose',
  ]);
  expect(audit).toEqual([{ actor: 'session', action: 'account.choose' }]);

  const refused = await patch({ board: 'Nowhere' });
  expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
  expect(refused.body.message).toContain(`${drafts} (Drafts)`);
  expect((await patch({ colour: 'red' })).body.message).toBe('Unknown setting "colour". Available: board.');
  expect((await patch({})).body.data.choices[0].value).toBe(drafts);
});

test('a scheduled post uses the choice at its start', async () => {
  const id = await connect('pinterest', 'planner');
  const { data } = (await user.get(`/accounts/${id}`)).body;
  const drafts = data.choices[0].values.find(({ label }: { label: string }) => label === 'Drafts').value;
  const scheduled = ['scheduled', String(Date.now() + 3_600_000)] as const;
  const post = await sendPost(user, { to: [id], fields: [scheduled, ['description', 'to the drafts']] });
  expect(post.status, JSON.stringify(post.body)).toBe(200);
  await user.call('PATCH', `/accounts/${id}`, { json: { choices: { board: 'Drafts' } } });
  await service.db.clock.advance(3_600_000);
  await eventually('it is posted', async () => {
    const [target] = (await user.get(`/post/${post.body.historyId}`)).body.data.targets;
    return target.status === 'SUCCESS';
  });
  const pins = await service.db.query<{ value: { boardId: string } }>(
    `select value from sandbox.item where platform = 'pinterest' and kind = 'pin'`,
  );
  expect(pins.map(({ value }) => value.boardId)).toEqual([drafts]);
});

test("the owner's session alone changes connected accounts' choices", async () => {
  const id = await connect('pinterest', 'owned');
  const json = { choices: { board: 'SECRET' } };
  const stranger = await service.newSession();
  expect((await stranger.call('PATCH', `/accounts/${id}`, { json })).body.code).toBe('unknown_platform');
  expect((await user.bare.call('PATCH', `/accounts/${id}`, { json })).body.code).toBe('csrf_required');
  expect((await (await service.newUser()).call('PATCH', `/accounts/${id}`, { json })).body.code).toBe(
    'session_required',
  );
  expect((await user.call('PATCH', '/accounts/nothing', { json })).status).toBe(404);
  expect((await user.get(`/accounts/${id}`)).body.data.choices[0].value).toBe('PUBLIC');
  await user.call('DELETE', `/accounts/${id}`);
  expect((await user.call('PATCH', `/accounts/${id}`, { json })).body.code).toBe('unknown_platform');
  expect((await user.get(`/accounts/${id}`)).status).toBe(404);
});
