/** The language of responses: programs get English, people the language that they ask for. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { say } from '../../src/messages/timeline.ts';
import { fail } from '../../src/publishing/transitions.ts';
import { type Client, createClient, type SessionUser, type TestService, type TestUser } from '../harness/service.ts';
import { sendCheck } from '../post/source-world.ts';
import { addReadyAccount, queuePost, smallVideo, startPostService } from '../post/world.ts';

const GERMAN = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' };

let service: TestService;
let user: SessionUser;
let key: TestUser;
beforeAll(async () => {
  service = await startPostService({ config: { rateLimit: 'off' } });
});
beforeEach(async () => {
  user = await service.newSession();
  key = await service.newUser();
});
afterAll(() => service.close());

const inSession = (headers: Record<string, string>): Client =>
  service.clientWith({ cookie: user.cookie, 'x-reelay-csrf': '1', ...headers });
const withKey = (headers: Record<string, string>): Client =>
  service.clientWith({ authorization: `Bearer ${key.key}`, ...headers });

describe('errors', () => {
  test("are in the session's language, with Content-Language", async () => {
    const { body, headers } = await inSession(GERMAN).get('/post/none');
    expect(body).toMatchObject({ code: 'unknown_post', message: 'Der Beitrag wurde nicht gefunden.' });
    expect([headers.get('content-language'), headers.get('vary')]).toEqual(['de', 'Accept-Language']);
  });

  test.each([{ 'accept-language': 'fr' }, { 'accept-language': 'en, de' }, { 'accept-language': '*' }, {}])(
    'are English for %j',
    async (headers) => {
      const response = await inSession(headers as Record<string, string>).get('/post/none');
      expect(response.body.message).toBe('Post not found.');
      expect(response.headers.get('content-language')).toBeNull();
    },
  );

  test('are English for API keys despite Accept-Language', async () => {
    const response = await withKey(GERMAN).get('/post/none');
    expect(response.body.message).toBe('Post not found.');
    expect(response.headers.get('content-language')).toBeNull();
    const wrong = await service.clientWith({ authorization: 'Bearer rly_wrong', ...GERMAN }).get('/post/none');
    expect(wrong.body.message).toMatch(/^Invalid or missing API key/);
  });

  test.each([
    ['name', '', 'darf nicht leer sein'],
    ['name', 'x'.repeat(101), 'darf höchstens 100 Zeichen haben'],
    ['name', 5, 'muss Text sein'],
    ['zone', 'Mars/Base', 'unbekannte Zeitzone „Mars/Base“'],
    ['late', 'never', 'muss eines davon sein: post, skip'],
  ])('name the problem of the field %s = %j', async (name, value, problem) => {
    const { body } = await inSession(GERMAN).call('PATCH', '/user', { json: { [name]: value } });
    expect(body.field).toEqual({ path: name, problem });
    expect(body.message).toBe(`Das Feld „${name}“ ist ungültig: ${problem}.`);
  });

  test('are logged in English', async () => {
    await inSession(GERMAN).get('/post/none');
    expect(JSON.stringify(service.logged)).not.toMatch(/wurde nicht gefunden/);
  });
});

describe('sign-in', () => {
  const signIn = (json: object, headers = GERMAN) =>
    createClient(service.url, null, headers).call('POST', '//api/auth/sign-in/email', {
      json,
      headers: { origin: service.url },
    });

  test("explains a wrong password in the browser's language", async () => {
    const json = { email: user.email, password: 'wrong password' };
    expect((await signIn(json)).body).toMatchObject({
      code: 'invalid_email_or_password',
      message: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    });
    expect((await signIn(json, { 'accept-language': 'en' })).body.message).toBe('Invalid email or password');
  });

  test("explains an invalid field in the browser's language", async () => {
    const { body } = await signIn({ email: 'nobody', password: 'x' });
    expect(body.field).toEqual({ path: 'email', problem: 'muss eine E-Mail-Adresse sein' });
  });
});

describe('posts', () => {
  test("timelines and failures are in the session's language", async () => {
    const account = await addReadyAccount(service.db, user.userId);
    const id = await queuePost(service, user.userId, [account]);
    const reason = say('platform_says', { reason: say('video_rejected', { platform: 'TikTok' }), words: 'Too dark.' });
    const { entries } = fail({} as Parameters<typeof fail>[0], 'video_rejected', reason);
    const [target] = await service.db.query<{ id: string }>(
      `update target set state = 'failed', code = 'video_rejected', detail = $2, due_at = null, settled_at = app_now()
       where post_id = $1 returning id`,
      [id, reason.text],
    );
    for (const { event, message } of entries)
      await service.db.execute(
        `insert into timeline (target_id, at, event, code, params) values ($1, app_now(), $2, $3, $4)`,
        [target?.id, event, message.code, JSON.stringify(message.params)],
      );
    const read = async (headers: Record<string, string>) => (await inSession(headers).get(`/post/${id}`)).body.data;
    const german = await read(GERMAN);
    const text = 'TikTok hat das Video abgelehnt. Meldung der Plattform: „Too dark.“';
    expect(german.targets[0].timeline.map((line: { text: string }) => line.text)).toEqual([expect.any(String), text]);
    expect(german.targets[0]).toMatchObject({ message: 'video_rejected', detail: text });
    expect(german.result[0].detail).toBe(text);
    const english = await read({});
    expect(english.targets[0].detail).toBe('TikTok rejected the video. The platform says: Too dark.');
    expect(english.targets[0].timeline[1].message).toEqual(german.targets[0].timeline[1].message);
  });

  test("a check gives reasons in the session's language", async () => {
    await service.db.execute(`update auth."user" set plan = 'PRO' where id = $1`, [user.userId]);
    const account = await addReadyAccount(service.db, user.userId, { status: 'EXPIRED' });
    const sent = { fields: [['platforms', JSON.stringify([account.id])]], video: await smallVideo() } as const;
    const german = (await sendCheck(inSession(GERMAN), sent)).body;
    expect(german.result[0].reasons[0].message).toMatch(/^Das Konto .* ist nicht verbunden\.$/);
    const english = (await sendCheck(inSession({}), sent)).body;
    expect(english.result[0].reasons[0].message).toMatch(/^The account .* is not connected\.$/);
  });

  test("a rejected caption is explained in the session's language", async () => {
    const account = await addReadyAccount(service.db, user.userId, { platform: 'bluesky' });
    const json = { platforms: [account.id], description: 'x'.repeat(400) };
    const { data } = (await inSession(GERMAN).post('/dashboard/captions', json)).body;
    expect(data[0].problem).toBe('Der Text hat 400 Zeichen. Erlaubt sind höchstens 300.');
  });
});

describe('pages', () => {
  test('are in the language of the browser', async () => {
    const read = async (accepted: string) => {
      const response = await fetch(`${service.url}/oauth/tiktok/start?ticket=none`, {
        headers: { 'accept-language': accepted },
      });
      return { text: await response.text(), language: response.headers.get('content-language') };
    };
    const german = await read('de');
    expect(german.language).toBe('de');
    expect(german.text).toContain('<html lang="de">');
    expect(german.text).toContain('Dieser Link gilt nicht mehr');
    expect((await read('en')).text).toContain('<html lang="en">');
  });
});
