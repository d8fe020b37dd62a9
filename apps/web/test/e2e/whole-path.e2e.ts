import { stat } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { type E2eWorld, SCREENS, seriousProblems, startE2eWorld } from './browser.ts';
import { interruptUploads, postNow, SIMPLE_PLATFORMS, schedulePost, writePost } from './compose-steps.ts';
import { addRule, drawRule, fillRule } from './rule-steps.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let video: string;
let bytes: number;
beforeAll(async () => {
  // Several pieces: the first has 1 MiB.
  video = await makeVideo({ seconds: 8, width: 720, height: 1280, fps: 25 });
  bytes = (await stat(video)).size;
  expect(bytes).toBeGreaterThan(2 * MIB);
});

describe.each(SCREENS)('on a %s', (name, screen) => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await startE2eWorld();
  });
  afterEach(() => world.showFailure());
  afterAll(() => world.close());

  test('everything works from the first user to a new key', async () => {
    const page = await world.open(screen);
    const show = (path: string) => page.goto(`${world.service.url}/app${path}`);
    await page.goto(world.service.url);
    await signUp(page);
    await show('/accounts');
    await page.getByRole('button', { name: 'Connect twelve simulated accounts' }).click();
    await page.getByText('12 connected accounts').waitFor();

    const noon = noonAhead();
    const accepted = await interruptUploads(page);
    await show(`/?at=${noon}`);
    await writePost(page, { video, description: 'Later today', coverSteps: 10 });
    await schedulePost(page);
    await page.getByRole('heading', { name: 'Scheduled' }).waitFor();
    expectEachByteOnce(accepted);
    expect(await postOf(world, 'Later today')).toMatchObject({ date: new Date(noon), cover: expect.any(Number) });
    expect((await postOf(world, 'Later today'))?.cover).toBeGreaterThan(0);

    await show(`/calendar?date=${dayOf(noon)}&view=${name === 'phone' ? 'list' : 'month'}`);
    const later = name === 'phone' ? noon + HOUR_MS : noon + DAY_MS;
    await (name === 'phone' ? changeTime(page) : dragTo(page, later));
    await page.getByText(/^Moved to/).waitFor();
    expect((await postOf(world, 'Later today'))?.date).toEqual(new Date(later));

    await setFaults(page, world, [{ platform: 'mastodon', kind: 'server-error', share: 1 }]);
    await show('/');
    await writePost(page, { video, description: 'Right now' });
    await postNow(page);
    await page.getByRole('heading', { name: 'Posting …' }).waitFor();
    await page.getByText('2 of 3 posted', { exact: true }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    // The platform is down for longer than the service tries. The stream of the page is renewed meanwhile.
    await world.service.db.execute(`update live_user set until = until + interval '25 hours'`);
    await world.service.db.clock.advance(DAY_MS + HOUR_MS);
    await page.getByText('2 of 3 posted, 1 failed').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await setFaults(page, world, []);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('3 of 3 posted', { exact: true }).waitFor();
    const published = await world.service.db.query('select from sandbox.published where not removed');
    expect(published).toHaveLength(SIMPLE_PLATFORMS.length);

    await show(`/reposts?view=${name === 'phone' ? 'table' : 'picture'}`);
    await (name === 'phone' ? addRuleInTable(page) : drawRuleInPicture(page));
    expect(await seriousProblems(page)).toEqual([]);
    await pauseRule(page, show);

    await show('/settings');
    await replaceKey(page, world);
    expect(world.problems).toEqual([]);
  });
});

async function signUp(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Welcome to Reelay' }).waitFor();
  await page.getByLabel('Email').fill('ana@example.com');
  await page.getByLabel('Password').first().fill('correct horse battery');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Description').waitFor();
}

/** Noon of a Wednesday that is 7 to 13 days ahead, so that the next day is in the same week. */
function noonAhead(): number {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return midnight + (7 + ((10 - new Date(midnight).getUTCDay()) % 7)) * DAY_MS + 12 * HOUR_MS;
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The lost response must not make the service receive a piece twice. */
function expectEachByteOnce(accepted: readonly (readonly [from: number, to: number])[]): void {
  const ends = accepted.map(([, to]) => to);
  expect(ends.length).toBeGreaterThan(1);
  expect(accepted.map(([from]) => from)).toEqual([0, ...ends.slice(0, -1)]);
  expect(ends.at(-1)).toBe(bytes);
}

async function postOf({ service }: E2eWorld, description: string) {
  const [post] = await service.db.query<{ date: Date; cover: number }>(
    'select date, preview_time_ms as cover from post where description = $1',
    [description],
  );
  return post;
}

async function dragTo(page: Page, day: number): Promise<void> {
  const format = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'long', day: 'numeric', timeZone: 'UTC' });
  const slot = page.getByRole('button', { name: new RegExp(`^New post on ${format.format(day)}$`) });
  await page.locator('[draggable=true]', { hasText: 'Later today' }).dragTo(slot);
}

async function changeTime(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Change time of 12:00 Later today/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Change time' });
  await dialog.getByLabel('Time', { exact: true }).fill('13:00');
  await dialog.getByRole('button', { name: 'Save' }).click();
}

async function setFaults(page: Page, { service }: E2eWorld, faults: object[]): Promise<void> {
  const response = await page.context().request.put(`${service.url}/api/v1/operator/sandbox/faults`, {
    data: { faults },
    headers: { 'x-reelay-csrf': '1', origin: service.url },
  });
  expect(response.status()).toBe(200);
}

async function drawRuleInPicture(page: Page): Promise<void> {
  await drawRule(page, 'TikTok', 'Mastodon');
  await page.mouse.up();
  await page.getByText(/Rule added: TikTok/).waitFor();
  await drawRule(page, 'Mastodon', 'TikTok');
  await page.getByText(/would form a loop: Mastodon: .* → TikTok: .* → Mastodon: /).waitFor();
  await page.mouse.up();
}

async function addRuleInTable(page: Page): Promise<void> {
  await addRule(page, 'TikTok', 'Mastodon');
  await page.getByRole('button', { name: /^Open the rule from TikTok/ }).waitFor();
  await fillRule(page, 'Mastodon', 'TikTok');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/would form a loop: Mastodon: .* → TikTok: .* → Mastodon: /).waitFor();
  expect(await dialog.getByRole('button', { name: 'Add rule' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
}

async function pauseRule(page: Page, show: (path: string) => Promise<unknown>): Promise<void> {
  await show('/reposts?view=table');
  await page.getByRole('button', { name: /^Pause the rule from TikTok/ }).click();
  await page.getByRole('button', { name: /^Resume the rule from TikTok/ }).waitFor();
}

async function replaceKey(page: Page, world: E2eWorld): Promise<void> {
  await page.getByRole('button', { name: 'Create key' }).click();
  const first = (await page.getByTestId('key').textContent()) ?? '';
  await page.getByRole('button', { name: 'Replace key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace key' }).click();
  await expect.poll(() => page.getByTestId('key').textContent()).not.toBe(first);
  const second = (await page.getByTestId('key').textContent()) ?? '';
  expect([await statusWith(world, first), await statusWith(world, second)]).toEqual([401, 200]);
}

async function statusWith({ service }: E2eWorld, key: string): Promise<number> {
  const url = `${service.url}/api/v1/platform/platforms`;
  return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;
}
