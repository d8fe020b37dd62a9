import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type E2eWorld, SCREENS, seriousProblems, startE2eWorld } from './browser.ts';

describe.each(SCREENS)('on a %s', (_name, screen) => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await startE2eWorld();
  });
  afterEach(() => world.showFailure());
  afterAll(() => world.close());

  test('an API key is shown once and replaced after a warning', async () => {
    const page = await world.open({ ...screen, user: true });
    await page.goto(`${world.service.url}/app/settings`);
    await page.getByRole('button', { name: 'Create key' }).click();
    const first = (await page.getByTestId('key').textContent()) ?? '';
    expect(await worksAt(world, first)).toBe(true);
    expect(await seriousProblems(page)).toEqual([]);
    await page.reload();
    await page.getByText('is active').waitFor();
    expect(await page.content()).not.toContain(first);

    await page.getByRole('button', { name: 'Replace key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
    await page.getByTestId('key').waitFor();
    const second = (await page.getByTestId('key').textContent()) ?? '';
    expect([await worksAt(world, first), await worksAt(world, second)]).toEqual([false, true]);

    await page.getByRole('button', { name: 'Revoke key' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click();
    await page.getByText('is revoked').waitFor();
    expect(await worksAt(world, second)).toBe(false);
    expect(world.problems).toEqual([]);
  });
});

async function worksAt(world: E2eWorld, key: string): Promise<boolean> {
  const response = await fetch(`${world.service.url}/api/v1/platform/platforms`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return response.ok;
}
