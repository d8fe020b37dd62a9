import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { operator } from '../../src/messages/en/operator.ts';
import { type E2eWorld, SCREENS, seriousProblems, shoot, startE2eWorld } from './browser.ts';

describe.each(SCREENS)('on a %s', (name, screen) => {
  let world: E2eWorld;
  /** Of the first user, who is the operator. */
  let page: Page;
  beforeAll(async () => {
    world = await startE2eWorld({ rateLimit: 'off' });
    page = await world.open({ ...screen, user: true });
  });
  afterEach(() => world.showFailure());
  afterAll(() => world.close());

  const tab = (title: string) => page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: title });

  test('a plan is changed, and a user suspended and resumed', async () => {
    const { email } = await world.service.newSession();
    await page.goto(`${world.service.url}/app/operator`);
    await page.getByRole('searchbox').fill(email);
    await expect.poll(() => page.getByRole('button', { name: /^Actions/ }).count()).toBe(1);
    const act = async (action: string) => {
      await page.getByRole('button', { name: `Actions: ${email}` }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await act('Change plan');
    await page.getByRole('combobox', { name: 'Plan' }).click();
    await page.getByRole('option', { name: 'STARTER' }).click();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('STARTER').waitFor();
    await act('Suspend');
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Suspended').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `users-${name}`);
    await act('Resume');
    await page.getByText('Suspended').waitFor({ state: 'hidden' });
    await act('Audit log');
    await page.getByText('Entries of one user.').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByText('user.resume').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `audit-${name}`);
  });

  test('a page of the audit log that fails to load says so', async () => {
    await world.service.db.execute(
      `insert into audit (actor, action, subject) select 'session', 'account.connect', n::text from generate_series(1, 120) n`,
    );
    // When live updates begin, the page reads everything again, and a failed part too.
    await page.route('**/api/v1/events', (route) => route.abort());
    await page.goto(`${world.service.url}/app/operator/audit`);
    await page.route('**/api/v1/operator/audit?*cursor=*', (route) => route.fulfill({ status: 500, json: {} }));
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('alert').waitFor();
    await page.unroute('**/api/v1/operator/audit?*cursor=*');
    const rows = page.getByText('account.connect');
    const before = await rows.count();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await expect.poll(() => rows.count()).toBeGreaterThan(before);
    await page.unroute('**/api/v1/events');
  });

  test('queue, storage and checks are shown', async () => {
    await page.goto(`${world.service.url}/app/operator/queue`);
    await page.getByText('Running').first().waitFor();
    // Every part that the service names has a text.
    const names = Object.keys(world.service.context.statuses());
    expect(Object.keys(operator.queue.partName).sort()).toEqual(names.sort());
    for (const text of Object.values(operator.queue.partName))
      await page.getByText(text, { exact: true }).last().waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `queue-${name}`);
    await tab('Storage').click();
    await page.getByRole('region', { name: 'Free space' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `storage-${name}`);
    await tab('Checks').click();
    await page.getByRole('button', { name: 'Run checks' }).click();
    await page.getByText(/No problems found|problems? found/).waitFor();
    await page.getByText(/last heartbeat/).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `doctor-${name}`);
  });

  test('other users see neither the entries nor the pages', async () => {
    const other = await world.open({ ...screen, user: true });
    await other.goto(`${world.service.url}/app/operator/users`);
    await other.getByText('Only the operator of this service may do this.').waitFor();
    expect(await other.getByRole('link', { name: 'Operator', includeHidden: true }).count()).toBe(0);
    expect(world.problems).toEqual([]);
  });
});
