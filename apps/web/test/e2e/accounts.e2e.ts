import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP, type E2eWorld, openWithAccounts, PHONE, seriousProblems, startE2eWorld } from './browser.ts';

describe.each([
  ['desktop', DESKTOP],
  ['phone', PHONE],
])('on a %s', (name, screen) => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await startE2eWorld({ rateLimit: 'off' });
  });
  afterAll(() => world.close());

  test('accounts are reconnected, and disconnecting says what is lost', async () => {
    const page = await openWithAccounts(world, screen, '/accounts');
    await page.getByText('Ask the operator of this service.').waitFor();
    await world.service.db.execute(`update account set status = 'EXPIRED' where platform = 'mastodon'`);
    await page.reload();
    const account = page.getByRole('article', { name: /^Mastodon:/ });
    await account.getByText('Access expired').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    const folder = process.env.SCREENSHOTS;
    if (folder) await page.screenshot({ path: `${folder}/accounts-${name}.png`, fullPage: true });
    await account.getByRole('button', { name: 'Reconnect' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Server' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    if (folder) await page.screenshot({ path: `${folder}/reconnect-${name}.png` });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await account.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No scheduled post will fail on this account.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(world.problems).toEqual([]);
  });
});
