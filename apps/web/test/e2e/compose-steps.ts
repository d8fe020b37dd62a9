/** Writing a post on the compose page: the one place that knows how the page asks for it. */

import { expect, type Locator, type Page } from '@playwright/test';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';

/** Platforms that need a caption and nothing else. */
export const SIMPLE_PLATFORMS = ['Bluesky', 'Mastodon', 'Telegram'] as const;

export interface PostToWrite {
  video: string;
  description: string;
  /** Names of platforms, each with one account. */
  platforms?: readonly string[];
  /** Tenths of a second that the cover is moved from the start. */
  coverSteps?: number;
}

/** The card of an account on a platform. The whole word counts: "greenfox" is no account on X. */
export function accountCard(page: Page, platform: string): Locator {
  return page.getByRole('checkbox', { name: new RegExp(`\\b${platform}\\b`) });
}

/** Fills the page. The time is the one that the page was opened with. */
export async function writePost(page: Page, post: PostToWrite): Promise<void> {
  const { video, description, platforms = SIMPLE_PLATFORMS, coverSteps = 0 } = post;
  await page.setInputFiles('input[type=file]', video);
  await page.getByLabel('Description').fill(description);
  // The page remembers the accounts of the last post.
  for (const platform of platforms) await accountCard(page, platform).check();
  if (coverSteps === 0) return;
  const cover = page.getByRole('slider', { name: /cover/i });
  await cover.focus();
  for (let step = 0; step < coverSteps; step++) await page.keyboard.press('ArrowRight');
}

/** Sends a post that is due now, when its upload is finished. */
export async function postNow(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Post to \d+ account/ }).click();
}

/** Sends a post that is due at the time of the page, when its upload is finished. */
export async function schedulePost(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Schedule/ }).click();
}

/**
 * Loses the response to the first piece of every upload of the page, after the service has received the piece.
 * @returns what the service accepted, as offsets before and after each piece
 */
export async function interruptUploads(page: Page): Promise<(readonly [from: number, to: number])[]> {
  const accepted: (readonly [from: number, to: number])[] = [];
  const lost = new Set<string>();
  await page.route('**/api/v1/uploads/*', async (route) => {
    const request = route.request();
    if (request.method() !== 'PATCH') return route.continue();
    const response = await route.fetch().catch(() => null);
    if (!response) return;
    if (response.ok())
      accepted.push([Number(request.headers()['upload-offset']), Number(response.headers()['upload-offset'])]);
    const isFirst = !lost.has(request.url());
    lost.add(request.url());
    await (isFirst ? route.abort('connectionreset') : route.fulfill({ response })).catch(() => {});
  });
  return accepted;
}

/** The questions that the platforms of the chosen accounts ask before each post. */
export function questionsOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Questions to answer' });
}

/** Answers all questions, when those of all chosen accounts are shown. */
export async function answerQuestions(page: Page): Promise<void> {
  const questions = questionsOf(page);
  await expect(questions).toBeVisible();
  const asking = await page.getByRole('checkbox', { name: /\b(TikTok|YouTube)\b/, checked: true }).count();
  await expect(questions.getByRole('group')).toHaveCount(asking);
  for (const field of await questions.getByRole('combobox', { name: 'Who can see this video' }).all()) {
    await field.click();
    await page.getByRole('option', { name: 'Everyone' }).click();
    await expect(field).toHaveValue('Everyone');
  }
  for (const answer of await questions.getByRole('radio', { name: /^Everyone$|not made for kids/ }).all())
    await answer.check();
}

/** Opens the drawer with the options of an account. */
export async function openOptions(page: Page, platform: string): Promise<Locator> {
  await page.getByRole('button', { name: new RegExp(`^Options for .* \\(${platform}\\)`) }).click();
  const drawer = page.getByRole('dialog', { name: /^Options for/ });
  await expect(drawer).toBeVisible();
  return drawer;
}

/** Writes a post with a small video, posts it now, and waits for its page. */
export async function postVideo(page: Page, description: string): Promise<void> {
  await writePost(page, { video: await makeVideo(), description });
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible();
  await postNow(page);
  await expect(page).toHaveURL(/\/app\/posts\/[0-9a-f-]+$/);
}

/** Opens each page of the navigation by its link. */
export async function openEveryPage(page: Page): Promise<void> {
  for (const name of ['Posts', 'Calendar', 'Reposts', 'Accounts', 'Settings', 'Compose']) {
    await page.getByRole('link', { name, exact: true }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
}
