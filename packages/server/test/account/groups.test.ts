/** Groups of accounts that a user selects together. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_GROUPS } from '../../src/accounts/groups/group-store.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';
import { addReadyAccount } from '../post/world.ts';

let service: TestService;
let user: SessionUser;
/** Ids of accounts. */
let a: string;
let b: string;
beforeAll(async () => {
  service = await startService({ config: { role: 'api' } });
});
beforeEach(async () => {
  user = await service.newSession();
  [a, b] = await Promise.all([newAccount(), newAccount()]);
});
afterAll(() => service.close());

const newAccount = async () => (await addReadyAccount(service.db, user.userId)).id;
const save = (name: string, accounts: readonly string[]) =>
  user.call('PUT', '/account-groups', { json: { name, accounts } });
const rename = (id: string, name: string) => user.call('PATCH', `/account-groups/${id}`, { json: { name } });
const list = async () =>
  (await user.get('/account-groups')).body.data.map((each: { name: string; accounts: string[] }) => [
    each.name,
    each.accounts,
  ]);
const refused = (status: number, code: string) => ({ status, body: { success: false, code } });

async function saved(name: string, accounts: readonly string[]): Promise<string> {
  const { status, body } = await save(name, accounts);
  expect(status).toBe(200);
  return body.data.id;
}

describe('account groups', () => {
  test('are listed in the order in which they were added', async () => {
    expect(await list()).toEqual([]);
    const { status, body } = await save('  Work ', [b, a, b]);
    expect({ status, body }).toMatchObject({ status: 200, body: { data: { name: 'Work', accounts: [b, a] } } });
    await saved('Fun', [a]);
    expect(await list()).toEqual([
      ['Work', [b, a]],
      ['Fun', [a]],
    ]);
  });

  test('keep their place when accounts are replaced', async () => {
    const id = await saved('Work', [a]);
    await saved('Fun', [a]);
    expect(await saved('Work', [b])).toBe(id);
    expect(await list()).toEqual([
      ['Work', [b]],
      ['Fun', [a]],
    ]);
  });

  test('are renamed, and replace the group of that name', async () => {
    const id = await saved('Work', [a]);
    await saved('Fun', [b]);
    expect(await rename(id, 'Office')).toMatchObject({ status: 200, body: { data: { id, name: 'Office' } } });
    expect((await rename(id, 'Office')).status).toBe(200);
    expect((await rename(id, 'Fun')).status).toBe(200);
    expect(await list()).toEqual([['Fun', [a]]]);
  });

  test('are deleted', async () => {
    const id = await saved('Work', [a]);
    const remove = () => user.call('DELETE', `/account-groups/${id}`);
    expect((await remove()).status).toBe(200);
    expect(await remove()).toMatchObject(refused(404, 'unknown_group'));
    expect(await rename(id, 'Fun')).toMatchObject(refused(404, 'unknown_group'));
    expect(await list()).toEqual([]);
  });

  test('leave out disconnected accounts', async () => {
    await saved('Work', [a, b]);
    await service.db.execute(`update account set status = 'DISCONNECTED' where id = $1`, [a]);
    expect(await list()).toEqual([['Work', [b]]]);
  });

  test('are deleted with their user', async () => {
    const { userId } = user;
    await saved('Work', [a]);
    await service.db.execute('delete from account_group where user_id <> $1', [userId]);
    const password = { password: user.password };
    const deleted = await user.call('POST', '//api/auth/delete-user', {
      json: password,
      headers: { origin: service.url },
    });
    expect(deleted.status).toBe(200);
    expect(await service.db.query('select from account_group')).toEqual([]);
  });

  test('need an account of their user', async () => {
    const own = user;
    user = await service.newSession();
    const other = await newAccount();
    user = own;
    expect(await save('Work', [a, other])).toMatchObject(refused(404, 'unknown_platform'));
    expect(await save('Work', [])).toMatchObject(refused(400, 'invalid_request'));
    expect(await save('Work', ['a'])).toMatchObject(refused(400, 'invalid_request'));
  });

  test.each(['', '  ', 'n'.repeat(41), 'a\0b', '\ud800'])('have no name like %j', async (name) => {
    expect(await save(name, [a])).toMatchObject(refused(400, 'invalid_request'));
  });

  test('are limited, also when they are saved at once', async () => {
    const names = Array.from({ length: MAX_GROUPS + 5 }, (_, at) => `Group ${at}`);
    const statuses = (await Promise.all(names.map((name) => save(name, [a])))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_GROUPS);
    expect(await save('One more', [a])).toMatchObject(refused(403, 'too_many_groups'));
    const [[name]] = await list();
    expect((await save(name, [b])).status).toBe(200);
  });

  test('need a session', async () => {
    const key = await service.newUser();
    expect(await key.get('/account-groups')).toMatchObject(refused(403, 'session_required'));
  });
});
