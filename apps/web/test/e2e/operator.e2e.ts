/** The operator's pages on the real service. */
import { operator as texts } from '../../src/messages/en/operator.ts';
import { expect, type Page, test } from './fixtures.ts';

async function chooseAction(page: Page, email: string, action: string): Promise<void> {
  await page.goto('/app/operator/users');
  await page.getByRole('searchbox').fill(email);
  await page.getByRole('button', { name: `Actions: ${email}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('a suspended user cannot sign in', { tag: '@layout' }, async ({ open, operator, user, service }) => {
  const page = await open({ user: operator });
  await chooseAction(page, user.email, 'Suspend');
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('main').getByText('Suspended', { exact: true })).toBeVisible();
  const signIn = await service.client.call('POST', '//api/auth/sign-in/email', {
    json: { email: user.email, password: user.password },
    headers: { origin: service.url },
  });
  expect(signIn).toMatchObject({ status: 403, body: { code: 'account_suspended' } });
});

test('the user list opens the audit log of one user', async ({ open, operator, user, service }) => {
  const other = await service.newSession();
  for (const each of [user, other]) await each.post('/user/api-key/generate');
  const page = await open({ user: operator });
  await chooseAction(page, user.email, 'Audit log');
  await expect(page.getByText('Entries of one user.')).toBeVisible();
  await expect(page).toHaveURL(/\/app\/operator\/audit\?user=/);
  const generated = page.getByRole('row').filter({ hasText: 'key.generate' });
  await expect(generated).toContainText([user.email]);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(generated.filter({ hasText: other.email })).toBeVisible();
  await expect(page.getByText('Entries of one user.')).toBeHidden();
});

test('the queue page names every part of the service', async ({ open, operator, service }) => {
  const names = Object.keys(service.context.statuses());
  expect(Object.keys(texts.queue.partName).sort()).toEqual(names.sort());
  const page = await open({ user: operator });
  await page.goto('/app/operator/queue');
  await expect(page.getByText('Running').first()).toBeVisible();
  const parts = page.getByRole('table', { name: 'Parts of this process' });
  for (const text of Object.values(texts.queue.partName))
    await expect(parts.getByRole('cell', { name: text, exact: true })).toBeVisible();
});

test('the checks run on the real installation', async ({ open, operator }) => {
  const page = await open({ user: operator });
  await page.goto('/app/operator/doctor');
  await page.getByRole('button', { name: 'Run checks' }).click();
  await expect(page.getByRole('status').getByText(/No problems found|problems? found/)).toBeVisible();
  await expect(page.getByText(/last heartbeat/)).toBeVisible();
});

test('other users see neither the entry nor the pages', async ({ page }) => {
  await page.goto('/app/operator/users');
  await expect(page.getByText('Only the operator of this service may do this.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Operator', includeHidden: true })).toHaveCount(0);
});
