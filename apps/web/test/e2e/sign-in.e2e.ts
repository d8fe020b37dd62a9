import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer } from '../../../../packages/server/test/harness/smtp.ts';
import { totp } from '../../../../packages/server/test/harness/totp.ts';
import { DESKTOP, type E2eWorld, PHONE, seriousProblems, startE2eWorld } from './browser.ts';

let mail: MailServer;
let world: E2eWorld;
beforeAll(async () => {
  mail = await startMailServer();
  world = await startE2eWorld({ mail: { smtpUrl: mail.url, from: 'reelay@example.org', requireTls: false } });
});
afterEach(() => world.closePages());
afterAll(async () => {
  await world.close();
  await mail.close();
});

const isFocused = (field: Locator) => field.evaluate((element) => element === document.activeElement);

test.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('a forgotten password is replaced by a mailed link on a %s', async (_name, screen) => {
  const user = await world.service.newSession();
  const page = await world.open(screen);
  await page.goto(`${world.service.url}/app/`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { name: 'New password' }).waitFor();
  await page.getByLabel('Email').fill(user.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await page.getByText(/an email with a link is on its way/).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  const link = () =>
    /\/app\/reset-password#\S+/.exec(mail.mails.find(({ to }) => to.includes(user.email))?.content ?? '');
  await expect.poll(link).not.toBeNull();

  // A link in a mail opens a new page.
  const opened = await world.open(screen);
  await opened.goto(world.service.url + (link()?.[0] ?? ''));
  await opened.getByLabel('New password').fill('another passphrase');
  await opened.getByRole('button', { name: 'Set password' }).click();
  await opened.getByText(/Your password has been changed/).waitFor();
  await opened.getByRole('link', { name: 'Sign in' }).click();
  await opened.getByRole('button', { name: 'Sign in' }).waitFor();
  await opened.getByLabel('Email').fill(user.email);
  await opened.getByLabel('Password').first().fill('another passphrase');
  await opened.getByRole('button', { name: 'Sign in' }).click();
  await opened.getByRole('heading', { name: 'New post' }).waitFor();
  expect(world.problems).toEqual([]);
});

test('a wrong password is refused where it was typed', async () => {
  const user = await world.service.newSession();
  const page = await world.open(PHONE);
  await page.goto(`${world.service.url}/app/`);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').first().fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe(user.email);
  expect(await seriousProblems(page)).toEqual([]);
  expect(world.problems).toEqual([]);
});

test('a user with a second factor enters a backup code', async () => {
  const user = await world.service.newSession();
  const auth = (path: string, json: object) =>
    user.call('POST', `//api/auth/two-factor/${path}`, { json, headers: { origin: world.service.url } });
  const { body } = await auth('enable', { password: user.password });
  await auth('verify-totp', { code: totp(body.totpURI) });
  const page = await world.open(DESKTOP);
  await page.goto(`${world.service.url}/app/`);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').first().fill(user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Second step' }).waitFor();
  expect(await seriousProblems(page)).toEqual([]);
  await expect.poll(() => isFocused(page.getByLabel('Code'))).toBe(true);
  await page.getByRole('button', { name: 'Start again' }).click();
  const password = page.getByLabel('Password').first();
  await expect.poll(() => isFocused(password)).toBe(true);
  await password.fill(user.password);
  await page.keyboard.press('Enter');
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Use a backup code' }).click();
  await expect.poll(() => isFocused(page.getByLabel('Backup code'))).toBe(true);
  await page.getByLabel('Backup code').fill(body.backupCodes[0]);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'New post' }).waitFor();
  expect(world.problems).toEqual([]);
});
