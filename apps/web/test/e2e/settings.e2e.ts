import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SessionUser } from '../../../../packages/server/test/harness/service.ts';
import { totp } from '../../../../packages/server/test/harness/totp.ts';
import { type E2eWorld, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';

describe.each(SCREENS)('on a %s', (name, screen) => {
  let world: E2eWorld;
  let page: Page;
  let user: SessionUser;
  beforeAll(async () => {
    world = await startE2eWorld({ rateLimit: 'off' });
    // The first user is the operator, who cannot be deleted.
    await world.service.newSession();
  });
  beforeEach(async () => {
    user = await world.service.newSession();
    page = await world.open({ ...screen, user });
    await page.goto(`${world.service.url}/app/settings`);
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  });
  afterEach(() => world.closePages());
  afterAll(() => world.close());

  const region = (title: string | RegExp) => page.getByRole('region', { name: title });
  const confirmWith = async (password: string, action: string) => {
    await page.getByRole('dialog').getByLabel('Password').first().fill(password);
    await page.getByRole('dialog').getByRole('button', { name: action }).click();
  };

  test('time zone and late posts are saved', async () => {
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `page-${name}`);
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Berlin');
    await page.getByRole('option', { name: 'Europe/Berlin' }).click();
    await expect.poll(async () => (await user.get('/user')).body.data.zone).toBe('Europe/Berlin');
    await page.getByRole('radio', { name: 'Skip them' }).click();
    await expect.poll(async () => (await user.get('/user')).body.data.late).toBe('skip');
    await page.reload();
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('Europe/Berlin');
    expect(await page.getByRole('radio', { name: 'Skip them' }).isChecked()).toBe(true);
    expect(world.problems).toEqual([]);
  });

  test('other sessions are listed and ended', async () => {
    await world.service.client.call('POST', '//api/auth/sign-in/email', {
      json: { email: user.email, password: user.password },
      headers: { origin: world.service.url },
    });
    await page.reload();
    const sessions = region('Sessions').getByRole('article');
    await expect.poll(() => sessions.count()).toBe(2);
    await region('Sessions').getByText('This session').waitFor();
    await sessions.getByRole('button', { name: 'End session' }).click();
    await expect.poll(() => sessions.count()).toBe(1);
    expect((await user.get('/user')).status).toBe(200);
  });

  test('backup codes are shown once and can be renewed', async () => {
    const section = region('Two-step verification');
    await section.getByRole('button', { name: 'Set up' }).click();
    await confirmWith(user.password, 'Set up');
    const secret = await page.getByTestId('secret').textContent();
    expect(await page.getByTestId('backup-codes').count()).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `enroll-${name}`);
    await section.getByLabel('Code from the app').fill(totp(`otpauth://totp/x?secret=${secret}`));
    await section.getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByTestId('backup-codes').locator('code');
    await codes.first().waitFor();
    const first = await codes.allTextContents();
    expect(first).toHaveLength(10);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `codes-${name}`);
    await section.getByRole('button', { name: 'I have saved them' }).click();
    await section.getByText('It is on.').waitFor();
    expect(await codes.count()).toBe(0);
    await section.getByText('You have 10 backup codes left.').waitFor();

    await section.getByRole('button', { name: 'New backup codes' }).click();
    await confirmWith('wrong password', 'New backup codes');
    await page.getByText('The password is wrong.').waitFor();
    await confirmWith(user.password, 'New backup codes');
    await section.getByText('The old backup codes no longer work').waitFor();
    const renewed = await codes.allTextContents();
    expect(new Set([...renewed, ...first]).size).toBe(20);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `renewed-${name}`);
    await section.getByRole('button', { name: 'I have saved them' }).click();
    await section.getByText('You have 10 backup codes left.').waitFor();
    expect(await codes.count()).toBe(0);
    await shoot(page, `factor-${name}`);

    await section.getByRole('button', { name: 'Turn off' }).click();
    await confirmWith(user.password, 'Turn off');
    await section.getByText('It is off.').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('deleting the account says what is lost and signs out', async () => {
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await page.getByText('0 connected accounts, 0 scheduled posts').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `delete-${name}`);
    const place = `reelay-draft-${user.userId}`;
    await page.evaluate((key) => localStorage.setItem(key, '{}'), place);
    await confirmWith('wrong password', 'Delete my account');
    await page.getByText('The password is wrong.').waitFor();
    await confirmWith(user.password, 'Delete my account');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect((await user.get('/user')).status).toBe(401);
    await expect.poll(() => page.evaluate((key) => localStorage.getItem(key), place)).toBeNull();
    expect(world.problems).toEqual([]);
  });
});
