/** Setting up a platform, and connecting an account on its own pages. What the panel shows is tested with its components. */
import { simulator as pinterest } from '@reelay/sandbox/platforms/pinterest/index.ts';
import { type RunningSimulator, startSimulator } from '../../../../packages/server/test/harness/simulator.ts';
import { test as base, connectAccounts, expect, type Page } from './fixtures.ts';

/** As the page `/sandbox/credentials` shows it. */
const APP = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };

/** Each test has a service at a simulated Pinterest that is not part of it. */
const test = base.extend<{ simulator: RunningSimulator; isSetUp: boolean }>({
  /** Whether Pinterest is set up, by environment variables. */
  isSetUp: [false, { option: true }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  simulator: async ({}, use) => {
    const simulator = await startSimulator(pinterest);
    await use(simulator);
    await simulator.close();
  },
  serviceConfig: async ({ simulator: { url }, isSetUp }, use) =>
    use({
      operatorContact: 'help@example.org',
      allowedPrivateHosts: [new URL(url).host],
      settings: { pinterest: { apiUrl: url, wwwUrl: url } },
      apps: isSetUp ? { pinterest: { id: APP.clientId, secret: APP.clientSecret } } : {},
    }),
});

const tile = (page: Page) => page.getByRole('button', { name: /^Pinterest/ });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Set up Pinterest' });

test.describe('the setup', () => {
  test('is visible to the operator only', async ({ operator, open, page }) => {
    const path = '/app/accounts?setup=pinterest';
    const ofOperator = await open({ user: operator });
    await ofOperator.goto(path);
    await expect(panel(ofOperator).getByText('Not set up')).toBeVisible();
    await page.goto(path);
    await tile(page).click();
    await expect(page.getByRole('dialog')).toContainText('Pinterest is not set up');
    await expect(page.getByRole('link', { name: 'help@example.org' })).toBeVisible();
    await expect(panel(page)).toHaveCount(0);
  });

  test('stores an application that the platform accepts', { tag: '@layout' }, async ({ page }) => {
    await page.goto('/app/accounts');
    await expect(tile(page)).toContainText('Needs setup by you');
    await tile(page).click();
    await panel(page).getByLabel('App ID').fill(APP.clientId);
    const secret = panel(page).getByRole('textbox', { name: 'App secret key' });
    await secret.fill(APP.clientSecret);
    await panel(page).getByRole('button', { name: 'Save and test' }).click();
    await expect(panel(page).getByText('Saved, and it works')).toBeVisible();
    await expect(secret).toHaveValue('');
    expect(await page.content()).not.toContain(APP.clientSecret);
    await page.keyboard.press('Escape');
    await expect(panel(page)).toHaveCount(0);
    await expect(tile(page)).not.toContainText('Needs setup');
  });

  test('is opened from the list, and can be removed', async ({ page, user }) => {
    await user.call('PUT', '/platform/setup/pinterest', { json: APP });
    await page.goto('/app/operator/platforms');
    await page.getByRole('link', { name: 'Change: Pinterest' }).click();
    await panel(page).getByRole('button', { name: 'Remove application' }).click();
    const question = page.getByRole('dialog', { name: /^Remove the application/ });
    await expect(question).toContainText('No account is affected');
    await question.getByRole('button', { name: 'Remove' }).click();
    await expect(panel(page).getByText('Not set up')).toBeVisible();
  });
});

test.describe('a connection on the pages of the platform', () => {
  test.use({ isSetUp: true });

  /** The offer of simulated accounts has an empty status. */
  const notice = (page: Page) => page.getByRole('main').getByRole('status').filter({ hasText: /\S/ });
  const deny = (page: Page) => page.getByRole('button', { name: 'Deny' });
  const backToReelay = (page: Page) => page.getByRole('link', { name: 'To your accounts in Reelay' }).click();

  /** Goes from the list of platforms to the consent page of Pinterest. */
  async function openConsent(page: Page): Promise<void> {
    await page.goto('/app/accounts');
    await tile(page).click();
    await page.getByRole('button', { name: 'Continue to Pinterest' }).click();
    await expect(deny(page)).toBeVisible();
  }

  test('adds the account', { tag: '@layout' }, async ({ page }) => {
    await openConsent(page);
    await page.getByRole('textbox').fill('nora');
    await page.getByRole('button', { name: 'Allow' }).click();
    await expect(page.getByRole('radio', { name: 'Ask me for every post' })).toBeChecked();
    await page.getByRole('radio').nth(1).check();
    await page.getByRole('button', { name: 'Connect' }).click();
    await backToReelay(page);
    await expect(notice(page)).toContainText('Pinterest is connected');
    await expect(page.getByText('1 connected account')).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(notice(page)).toHaveCount(0);
  });

  test('is explained when it was denied', async ({ page }) => {
    await openConsent(page);
    await deny(page).click();
    await expect(page.getByRole('heading', { name: 'Nothing was connected' })).toBeVisible();
    await backToReelay(page);
    await expect(notice(page)).toContainText('Pinterest was not connected');
    await expect(notice(page)).toContainText('Access was denied');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Continue to Pinterest' })).toBeVisible();
  });

  test('is explained when it took too long', async ({ page, service }) => {
    await openConsent(page);
    await service.db.clock.advance(11 * 60_000);
    await page.getByRole('textbox').fill('nora');
    await page.getByRole('button', { name: 'Allow' }).click();
    await expect(page.getByRole('heading', { name: 'The sign-in timed out' })).toBeVisible();
    await backToReelay(page);
    await expect(notice(page)).toContainText('Connecting Pinterest took too long');
  });
});

base('a changed setting of an account survives a reload', async ({ page, user }) => {
  await connectAccounts(user);
  await page.goto('/app/accounts');
  const account = page.getByRole('article', { name: /^Pinterest:/ });
  await account.getByRole('button', { name: 'Details' }).click();
  const details = page.getByRole('dialog', { name: 'Details' });
  const board = details.getByRole('combobox', { name: 'Board' });
  await expect(board).toHaveValue(/./);
  await board.click();
  const other = page.getByRole('option', { selected: false }).last();
  const name = (await other.textContent()) ?? '';
  await other.click();
  await expect(board).toHaveValue(name);
  await details.getByRole('button', { name: 'Save' }).click();
  await expect(details.getByText('Saved.')).toBeVisible();
  await page.reload();
  await expect(board).toHaveValue(name);
});
