import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AccountRow, addAccount } from '../../../../packages/server/test/harness/rows.ts';
import type { SessionUser } from '../../../../packages/server/test/harness/service.ts';
import { type MailServer, startMailServer } from '../../../../packages/server/test/harness/smtp.ts';
import { endAccess, failPost } from '../../../../packages/server/test/notifications/world.ts';
import { type E2eWorld, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';

describe.each(SCREENS)('on a %s', (name, screen) => {
  let world: E2eWorld;
  let mail: MailServer;
  let page: Page;
  let user: SessionUser;
  let accounts: AccountRow[];
  beforeAll(async () => {
    mail = await startMailServer();
    const smtp = { smtpUrl: mail.url, from: 'Reelay <reelay@example.org>', requireTls: false };
    world = await startE2eWorld({ rateLimit: 'off', mail: smtp });
  });
  beforeEach(async () => {
    user = await world.service.newSession();
    accounts = [
      await addAccount(world.service.db, user.userId, { platform: 'tiktok', username: 'nora' }),
      await addAccount(world.service.db, user.userId, { platform: 'mastodon', username: 'nora@social.example' }),
    ];
    page = await world.open({ ...screen, user });
  });
  afterEach(() => world.closePages());
  afterAll(async () => {
    await world.close();
    await mail.close();
  });

  const visit = async (path: string) => {
    await page.goto(`${world.service.url}/app${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  const bell = (text: string) => page.getByRole('button', { name: text, exact: true });
  const fail = (description: string, to = accounts) =>
    failPost(world.service.db, user.userId, to, { description, code: 'video_rejected' });

  test('a failed post arrives without reload and is read', async () => {
    await visit('/posts');
    await bell('Notifications').waitFor();
    const id = await fail('A walk through Rome at night');
    await bell('Notifications, 1 unread').waitFor();
    await bell('Notifications, 1 unread').click();
    const list = page.getByRole('dialog', { name: 'Notifications' });
    await list.getByText('A post failed on 2 of 2 accounts').waitFor();
    await list.getByText('TikTok (nora): The video was rejected').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await list.getByRole('link', { name: /A walk through Rome/ }).click();
    await page.waitForURL(`**/posts/${id}`);
    await bell('Notifications').waitFor();
    await list.waitFor({ state: 'detached' });
    expect(world.problems).toEqual([]);
  });

  test('all kinds are listed and marked as read', async () => {
    await fail('x'.repeat(300));
    await fail('', accounts.slice(0, 1));
    for (const account of accounts) await endAccess(world.service.db, account);
    await world.service.db.execute(
      `insert into notification (user_id, kind, account_id, occurrence, moment)
       select $1, kind, $2, '1', timestamptz '2030-01-31 12:00Z' from unnest('{access_ends,source_unread}'::text[]) kind`,
      [user.userId, accounts[0]?.id],
    );
    await visit('/accounts');
    await bell('Notifications, 6 unread').click();
    const list = page.getByRole('dialog', { name: 'Notifications' });
    await list.getByText('Mastodon (nora@social.example) needs to be reconnected').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(6);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `list-${name}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(width).toBeLessThanOrEqual(0);
    await list.getByRole('button', { name: 'Mark all as read' }).click();
    await expect.poll(() => list.getByText('Unread:').count()).toBe(0);
    await page.keyboard.press('Escape');
    await bell('Notifications').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('an empty list says so, and a failed one retries', async () => {
    // When live updates begin, the page reads everything again, and a failed list too.
    await page.route('**/api/v1/events', (route) => route.abort());
    await visit('/accounts');
    await page.route('**/api/v1/dashboard/notifications?*', (route) => route.fulfill({ status: 500, json: {} }));
    await bell('Notifications').click();
    const list = page.getByRole('dialog', { name: 'Notifications' });
    await list.getByRole('alert').waitFor();
    await shoot(page, `failed-${name}`);
    await page.unroute('**/api/v1/dashboard/notifications?*');
    await list.getByRole('button', { name: 'Try again' }).click();
    await list.getByText('Nothing needs your attention.').waitFor();
    await shoot(page, `empty-${name}`);
    expect(await seriousProblems(page)).toEqual([]);
  });

  test('settings are saved for each kind', async () => {
    await visit('/settings');
    const section = page.getByRole('region', { name: 'Notifications' });
    const ending = section.getByRole('group', { name: 'Expiring access' });
    await section.getByText(`Emails go to ${user.email}.`).waitFor();
    expect(await ending.getByRole('switch', { name: 'Email' }).isChecked()).toBe(false);
    await ending.getByRole('switch', { name: 'Email' }).click();
    await section.getByRole('group', { name: 'Failed posts' }).getByRole('switch', { name: 'In Reelay' }).click();
    const kinds = async () => (await user.get('/user/notifications')).body.data.kinds;
    await expect.poll(async () => (await kinds()).access_ends.mail).toBe(true);
    await expect.poll(async () => (await kinds()).post_failed.page).toBe(false);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `settings-${name}`);
    await fail('hidden');
    await endAccess(world.service.db, accounts[0] as AccountRow);
    await bell('Notifications, 1 unread').waitFor();
  });

  test('the language is kept with the user', async () => {
    await visit('/settings');
    await page.getByRole('combobox', { name: 'Language' }).click();
    await page.getByRole('option', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
    await expect.poll(async () => (await user.get('/user')).body.data.language).toBe('de');
    // Another browser, whose language is English.
    const other = await world.open({ ...screen, user });
    await fail('Ein Abend in Rom');
    await other.goto(`${world.service.url}/app/settings`);
    await other.getByRole('heading', { name: 'Einstellungen', level: 1 }).waitFor();
    await other.getByRole('button', { name: 'Benachrichtigungen, 1 ungelesen' }).click();
    await other.getByText('Ein Beitrag ist auf 2 von 2 Konten fehlgeschlagen').waitFor();
    expect(await seriousProblems(other)).toEqual([]);
    await shoot(other, `german-${name}`);
    await other.keyboard.press('Escape');
    await other.getByRole('button', { name: 'Benutzermenü' }).click();
    await other.getByRole('menuitemradio', { name: 'English' }).click();
    await expect.poll(async () => (await user.get('/user')).body.data.language).toBe('en');
    expect(world.problems).toEqual([]);
  });
});

test('without a mail server the settings say so', async () => {
  const world = await startE2eWorld();
  try {
    const page = await world.open({ user: true });
    await page.goto(`${world.service.url}/app/settings`);
    const section = page.getByRole('region', { name: 'Notifications' });
    await section.getByText('Emails are not available').waitFor();
    expect(await section.getByRole('switch', { name: 'Email' }).first().isDisabled()).toBe(true);
  } finally {
    await world.close();
  }
});
