/** The page and the texts of the service in German, the language of the browser. */
import { connectAccounts, expect, test } from './fixtures.ts';
import { post } from './post-steps.ts';

test.use({ locale: 'de-DE' });

test.describe('signed out', () => {
  test.use({ signedIn: false });

  test('a rejected sign-in is explained', async ({ page, user }) => {
    await page.goto('/app/sign-in');
    await page.getByLabel('E-Mail').fill(user.email);
    await page.getByLabel('Passwort').first().fill('a wrong password');
    await expect(page.getByRole('button', { name: 'Passwort anzeigen oder verbergen' })).toBeVisible();
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await expect(page.getByRole('alert')).toContainText('Die E-Mail-Adresse oder das Passwort ist falsch.');
  });
});

test.describe('a failed post', () => {
  test.beforeEach(async ({ page, service, user }) => {
    await connectAccounts(user);
    const id = await post(service, user, 'Zu viel #sandbox-reject', ['tiktok', 'mastodon', 'youtube']);
    await page.goto(`/app/posts/${id}`);
    await expect(page.getByRole('heading', { name: 'Nicht veröffentlicht' })).toBeVisible();
  });

  test('has no English words', async ({ page }) => {
    const opened = page.getByRole('button', { name: 'Ausblenden' });
    for (const count of [1, 2, 3]) {
      await page.getByRole('button', { name: 'Was geschah' }).first().click();
      await expect(opened).toHaveCount(count);
    }
    for (const details of await page.locator('summary').all()) await details.click();
    await expect(page.getByText(/^TikTok hat /).first()).toBeVisible();
    const shown = async () => ((await page.getByRole('main').textContent()) ?? '').replace(/„[^“]*“/g, '');
    await expect.poll(shown).not.toMatch(/\b(?:the|is|has|rejected|Queued|because)\b/);
  });

  test('is translated when another language is chosen', async ({ page }) => {
    await expect(page.getByText(/^TikTok hat /).first()).toBeVisible();
    await page.getByRole('button', { name: 'Benutzermenü' }).click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await expect(page.getByRole('heading', { name: 'Not posted' })).toBeVisible();
    await expect(page.getByText(/^TikTok rejected/).first()).toBeVisible();
  });
});
