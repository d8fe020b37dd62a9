/** Texts that a user often inserts into captions. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_SNIPPETS } from '../../src/drafts/snippet-store.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';

let service: TestService;
let user: SessionUser;
beforeAll(async () => {
  service = await startService({ config: { role: 'api' } });
});
beforeEach(async () => {
  user = await service.newSession();
});
afterAll(() => service.close());

const save = (name: string, text: string) => user.call('PUT', '/snippets', { json: { name, text } });
const edit = (id: string, name: string, text: string) => user.call('PUT', `/snippets/${id}`, { json: { name, text } });
const remove = (id: string) => user.call('DELETE', `/snippets/${id}`);
const list = async () =>
  (await user.get('/snippets')).body.data.map(({ name, text }: { name: string; text: string }) => [name, text]);
const refused = (status: number, code: string) => ({ status, body: { success: false, code } });

async function saved(name: string, text: string): Promise<string> {
  const { status, body } = await save(name, text);
  expect(status).toBe(200);
  return body.data.id;
}

describe('snippets', () => {
  test('are listed in the order in which they were added', async () => {
    expect(await list()).toEqual([]);
    const { body } = await save('  Tags ', ' #one\r\n#two\n\n');
    expect(body.data).toMatchObject({ name: 'Tags', text: '#one\n#two' });
    await saved('Credits', 'Filmed by Ana 🎬');
    expect(await list()).toEqual([
      ['Tags', '#one\n#two'],
      ['Credits', 'Filmed by Ana 🎬'],
    ]);
  });

  test('keep their place when their text is replaced', async () => {
    const id = await saved('Tags', '#one');
    await saved('Credits', 'Ana');
    expect(await saved('Tags', '#two')).toBe(id);
    expect(await list()).toEqual([
      ['Tags', '#two'],
      ['Credits', 'Ana'],
    ]);
  });

  test('are edited, and replace the snippet of that name', async () => {
    const id = await saved('Tags', '#one');
    await saved('Credits', 'Ana');
    expect(await edit(id, 'Hashtags', '#two')).toMatchObject({
      status: 200,
      body: { data: { id, name: 'Hashtags', text: '#two' } },
    });
    expect((await edit(id, 'Credits', '#two')).status).toBe(200);
    expect(await list()).toEqual([['Credits', '#two']]);
  });

  test('are deleted', async () => {
    const id = await saved('Tags', '#one');
    expect((await remove(id)).status).toBe(200);
    expect(await remove(id)).toMatchObject(refused(404, 'unknown_snippet'));
    expect(await edit(id, 'Tags', '#one')).toMatchObject(refused(404, 'unknown_snippet'));
    expect(await list()).toEqual([]);
  });

  test.each([uuidv7(), 'none'])('with the unknown id %j are not found', async (id) => {
    expect(await edit(id, 'Tags', '#one')).toMatchObject(refused(404, 'unknown_snippet'));
    expect(await remove(id)).toMatchObject(refused(404, 'unknown_snippet'));
  });

  test('of another user are not touched', async () => {
    const id = await saved('Tags', '#one');
    const owner = user;
    user = await service.newSession();
    await saved('Credits', '#other');
    expect(await edit(id, 'Credits', '#two')).toMatchObject(refused(404, 'unknown_snippet'));
    expect(await remove(id)).toMatchObject(refused(404, 'unknown_snippet'));
    expect(await list()).toEqual([['Credits', '#other']]);
    user = owner;
    expect(await list()).toEqual([['Tags', '#one']]);
  });

  test('are deleted with their user', async () => {
    const id = await saved('Tags', '#one');
    const deleted = await user.call('POST', '//api/auth/delete-user', {
      json: { password: user.password },
      headers: { origin: service.url },
    });
    expect(deleted.status).toBe(200);
    expect(await service.db.query('select from snippet where id = $1', [id])).toEqual([]);
  });

  test.each(['', '  ', 'n'.repeat(41), 'a\0b', '\ud800'])('have no name like %j', async (name) => {
    expect(await save(name, '#one')).toMatchObject(refused(400, 'invalid_request'));
  });

  test.each(['', ' \n', 't'.repeat(2_001), 'a\0b', '\ud800'])('have no text like %.10j', async (text) => {
    expect(await save('Tags', text)).toMatchObject(refused(400, 'invalid_request'));
  });

  test('have at most 2,000 characters after trimming', async () => {
    await saved('Tags', ` ${'t'.repeat(2_000)}\n`);
    expect(await list()).toEqual([['Tags', 't'.repeat(2_000)]]);
  });

  test('are limited, also when they are saved at once', async () => {
    const names = Array.from({ length: MAX_SNIPPETS + 5 }, (_, at) => `Snippet ${at}`);
    const statuses = (await Promise.all(names.map((name) => save(name, '#one')))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_SNIPPETS);
    expect(await save('One more', '#one')).toMatchObject(refused(403, 'too_many_snippets'));
    const [[name]] = await list();
    expect((await save(name, '#two')).status).toBe(200);
  });

  test('need a session', async () => {
    const key = await service.newUser();
    expect(await key.get('/snippets')).toMatchObject(refused(403, 'session_required'));
  });
});
