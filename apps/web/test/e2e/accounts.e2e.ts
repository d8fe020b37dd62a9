import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type E2eWorld, openWithAccounts, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';

describe.each(SCREENS)('on a %s', (name, screen) => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await startE2eWorld({ rateLimit: 'off' });
  });
  afterEach(() => world.showFailure());
  afterAll(() => world.close());

  test('accounts are reconnected, and disconnecting says what is lost', async () => {
    const page = await openWithAccounts(world, screen, '/accounts');
    const details = page.getByRole('dialog', { name: 'Details' });
    const openDetails = (platform: RegExp) =>
      page.getByRole('article', { name: platform }).getByRole('button', { name: 'Details' }).click();
    await openDetails(/^Threads:/);
    await details.getByText('250 posts of 250 left').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `posts-left-${name}`);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'hidden' });
    await openDetails(/^LinkedIn:/);
    await details.getByText(/^Reconnect before/).waitFor();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'hidden' });
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
    await account.getByRole('button', { name: 'Details' }).click();
    await details.getByText('Access has expired.').waitFor();
    await details.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No scheduled post will fail on this account.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    expect(world.problems).toEqual([]);
  });
});
