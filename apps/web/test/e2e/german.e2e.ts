import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { sendPost } from '../../../../packages/server/test/post/world.ts';
import { type E2eWorld, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';

describe.each(SCREENS)('in German, on a %s', (name, given) => {
  const screen = { ...given, locale: 'de-DE' };
  let world: E2eWorld;
  beforeAll(async () => {
    world = await startE2eWorld();
  });
  afterEach(() => world.closePages());
  afterAll(() => world.close());

  test('a rejected sign-in is explained', async () => {
    const { email } = await world.service.newSession();
    const page = await world.open(screen);
    await page.goto(`${world.service.url}/app/sign-in`);
    await page.getByLabel('E-Mail').fill(email);
    await page.getByLabel('Passwort').first().fill('a wrong password');
    await page.getByRole('button', { name: 'Passwort anzeigen oder verbergen' }).waitFor();
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByRole('alert').getByText('Die E-Mail-Adresse oder das Passwort ist falsch.').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('a failed post is explained, in the language chosen', async () => {
    const user = await world.service.newSession();
    const { data } = (await user.post('/accounts/connect-sandbox')).body;
    const to = data
      .filter(({ platform }: { platform: string }) => ['tiktok', 'mastodon', 'youtube'].includes(platform))
      .map(({ id }: { id: string }) => id);
    const video = await makeVideo({ seconds: 6, width: 540, height: 960, fps: 25 });
    const { body } = await sendPost(user, { video, to, fields: [['description', 'Zu viel #sandbox-reject']] });
    const page = await world.open({ ...screen, user });
    await page.goto(`${world.service.url}/app/posts/${body.historyId}`);
    await page.getByRole('heading', { name: 'Nicht veröffentlicht' }).waitFor();
    const closed = page.getByRole('button', { name: 'Was geschah' });
    while ((await closed.count()) > 0) await closed.first().click();
    for (const details of await page.locator('summary').all()) await details.click();
    await page
      .getByText(/^TikTok hat /)
      .first()
      .waitFor();
    const shown = ((await page.getByRole('main').textContent()) ?? '').replace(/„[^“]*“/g, '');
    expect(shown).not.toMatch(/\b(?:the|is|has|rejected|Queued|because)\b/);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `german-failed-${name}`);

    // The texts of the service follow, without a reload.
    await page.getByRole('button', { name: 'Benutzermenü' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('heading', { name: 'Not posted' }).waitFor();
    await page
      .getByText(/^TikTok rejected/)
      .first()
      .waitFor();
    expect(world.problems).toEqual([]);
  });
});
