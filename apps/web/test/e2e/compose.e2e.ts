import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import type { Draft } from '../../src/drafts/draft.ts';
import {
  answerQuestions,
  type E2eWorld,
  openWithAccounts,
  SCREENS,
  seriousProblems,
  shoot,
  startE2eWorld,
} from './browser.ts';
import { accountCard } from './compose-steps.ts';

/** In code points. */
const MAX_DESCRIPTION = 5_000;
const OPTIONS_ON_YOUTUBE = `select t.options from target t join account a on a.id = t.account_id where a.platform = 'youtube'`;

let video: string;
beforeAll(async () => {
  video = await makeVideo({ seconds: 6, width: 540, height: 960, fps: 25 });
});

describe.each(SCREENS)('on a %s', (name, screen) => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await startE2eWorld();
  });
  afterEach(() => world.closePages());
  afterAll(() => world.close());

  test('TikTok asks as its guidelines require', async () => {
    const page = await openWithAccounts(world, screen, '/');
    await page.setInputFiles('input[type=file]', video);
    await page.getByLabel('Description').fill('First light');
    await choose(page, 'TikTok');
    const questions = page.getByRole('region', { name: 'Questions to answer' });
    const privacy = questions.getByRole('combobox', { name: 'Who can see this video' });
    expect(await privacy.inputValue()).toBe('');
    await page.getByText("By posting, you agree to TikTok's Music Usage Confirmation.").waitFor();
    await shoot(page, `questions-${name}`);
    expect(await isWithinScreen(page)).toBe(true);

    const drawer = await openOptions(page, 'TikTok');
    for (const label of ['Allow comments', 'Allow duets', 'Allow stitches', 'Made with AI'])
      expect(await drawer.getByRole('checkbox', { name: label }).isChecked(), label).toBe(false);
    expect(await drawer.getByRole('checkbox', { name: 'Branded content' }).count()).toBe(0);
    await drawer.getByRole('switch', { name: 'Disclose video content' }).click();
    await drawer.getByText('You need to indicate if your content promotes yourself').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await drawer.getByRole('checkbox', { name: 'Branded content' }).check();
    await drawer.getByText("Your video will be labeled as 'Paid partnership'.").waitFor();
    await drawer.getByText("TikTok's Branded Content Policy and Music Usage Confirmation.").waitFor();
    await drawer.getByRole('combobox', { name: 'Who can see this video' }).click();
    const onlyMe = page.getByRole('option', { name: /Only me/ });
    await onlyMe.getByText('Branded content visibility cannot be set to private.').waitFor();
    expect(await onlyMe.getAttribute('data-combobox-disabled')).toBe('true');
    await page.getByRole('option', { name: 'Everyone' }).click();
    await drawer.getByRole('checkbox', { name: 'Allow comments' }).check();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `options-tiktok-${name}`);
    await drawer.getByRole('button', { name: 'Done' }).click();
    await page.getByText('2 options').waitFor();
    await page.getByText("TikTok's Branded Content Policy and Music Usage Confirmation.").waitFor();
    // A reload ends an upload that is not finished.
    await page.getByText('Uploaded', { exact: true }).waitFor();

    await page.reload();
    await page.getByText('2 options').waitFor();
    expect(await privacy.inputValue()).toBe('Everyone');
    expect(await page.getByLabel('Description').inputValue()).toBe('First light');
    await page.getByRole('button', { name: 'Post to 1 account' }).click();
    await page.getByText('1 of 1 posted').waitFor();
    const [target] = await world.service.db.query('select options from target');
    expect(target).toEqual({
      options: {
        privacy: 'PUBLIC_TO_EVERYONE',
        disableComment: false,
        disableDuet: true,
        disableStitch: true,
        brandContent: true,
      },
    });
    expect(world.problems).toEqual([]);
  });

  test('a list that opens does not move the page', async () => {
    const page = await openWithAccounts(world, screen, '/');
    await accountCard(page, 'TikTok').click();
    const field = page.getByRole('combobox', { name: 'Who can see this video' });
    // They appear above the field.
    await page.getByRole('list', { name: 'Length of the captions' }).waitFor();
    await field.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const top = () => field.evaluate((element) => Math.round(element.getBoundingClientRect().top));
    await field.press('ArrowDown');
    const before = await top();
    await page.getByRole('option', { name: 'Everyone' }).waitFor();
    expect(await top()).toBe(before);
    expect(world.problems).toEqual([]);
  });

  test('a long description is counted, shortened and posted per account', async () => {
    const page = await openWithAccounts(world, screen, '/');
    await page.setInputFiles('input[type=file]', video);
    const description = `🌅 <b>مرحبا</b> & ${'light '.repeat(60)}end`;
    await page.getByLabel('Description').fill(description);
    await choose(page, 'Mastodon', 'X', 'YouTube');
    const counters = page.getByRole('list', { name: 'Length of the captions' });
    await counters.getByRole('button', { name: /\(X\).*\/280/ }).waitFor();
    await expect.poll(() => counters.getByRole('button').count()).toBe(3);
    expect(await counters.getByRole('button').first().getAttribute('data-level')).toBe('rejected');
    await page.getByText('The video is still uploading').waitFor({ state: 'detached' });

    const questions = page.getByRole('region', { name: 'Questions to answer' });
    await questions.waitFor();
    await page.getByRole('button', { name: 'Answer 2 more questions' }).click();
    expect(await questions.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await questions.getByRole('radio', { checked: true }).count()).toBe(0);
    await answerQuestions(page);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `captions-${name}`);
    expect(await isWithinScreen(page)).toBe(true);

    await page.getByRole('button', { name: 'Shorten for this account' }).click();
    await page.getByText('custom caption').waitFor();
    await page.getByText('Ready for all 3 accounts.').waitFor();
    const drawer = await openOptions(page, 'Mastodon');
    await drawer.getByRole('switch', { name: 'Custom caption' }).click();
    await drawer.getByLabel('Caption', { exact: true }).fill('For Mastodon <3 🌊');
    await drawer.getByRole('button', { name: 'Done' }).click();
    await drawer.waitFor({ state: 'detached' });
    await page.reload();
    await expect.poll(() => page.getByText('custom caption').count()).toBe(2);

    await page.getByRole('button', { name: 'Post to 3 accounts' }).click();
    await page.getByText('3 of 3 posted').waitFor();
    const texts = new Map(await publishedTexts(world));
    expect(texts.get('mastodon')).toBe('For Mastodon <3 🌊');
    expect(texts.get('x')).toMatch(/^🌅 <b>مرحبا<\/b> & light .*light…$/u);
    expect(texts.get('youtube')).toContain('light end');
    expect(await world.service.db.query(OPTIONS_ON_YOUTUBE)).toEqual([
      { options: { privacy: 'public', madeForKids: false } },
    ]);
    expect(world.problems).toEqual([]);
  });

  test('the longest description of any letters is posted as typed', async () => {
    const page = await openWithAccounts(world, screen, '/');
    await page.setInputFiles('input[type=file]', video);
    const piece = '🌅👩‍👩‍👧 مرحبا بالعالم <b onclick="x">& "quoted"</b> <img src=x onerror=alert(1)>\n';
    const description = `${[...piece.repeat(100)].slice(0, MAX_DESCRIPTION - 1).join('')}.`;
    expect([...description]).toHaveLength(MAX_DESCRIPTION);
    await choose(page, 'Facebook');
    await page.getByLabel('Description').fill(`${description}!`);
    await page.getByText('This text has 5,001 characters. The maximum is 5,000.').waitFor();
    await page.getByText('Shorten the description.').waitFor();
    expect(await page.getByRole('button', { name: 'Post to 1 account' }).isDisabled()).toBe(true);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `too-long-${name}`);
    await page.getByLabel('Description').fill(description);
    await page.getByText('Ready for 1 account.').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `longest-${name}`);
    await page.getByRole('button', { name: 'Post to 1 account' }).click();
    await page.getByText('1 of 1 posted').waitFor();
    expect(new Map(await publishedTexts(world)).get('facebook')).toBe(description);
    expect(await page.getByRole('main').locator('b, img[src=x]').count()).toBe(0);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `longest-posted-${name}`);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('button', { name: 'Show less' }).click();
    await page.getByRole('button', { name: 'Show all' }).waitFor();
    await page.goto(`${world.service.url}/app/posts`);
    await page.getByRole('link', { name: /مرحبا/ }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `longest-listed-${name}`);
    expect(world.problems).toEqual([]);
  });

  test('a handle that does not fit breaks after a dot', async () => {
    const page = await openWithAccounts(world, screen, '/');
    const card = page.getByRole('checkbox', { name: /^[a-z]+\d*\.test Bluesky/ });
    const lines = await card.getByText(/\.test$/).evaluate((element) => {
      const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const linesOf = (text: Node) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return [...range.getClientRects()];
      };
      element.style.width = `${Math.ceil(linesOf(texts[0] ?? element)[0]?.width ?? 0) + 1}px`;
      return texts.map((text) => [text.textContent?.replace(/^.*\./, '.'), linesOf(text).length]);
    });
    expect(lines).toEqual([
      ['.', 1],
      ['test', 1],
    ]);
    expect(world.problems).toEqual([]);
  });

  test('a group of accounts is chosen with one press', async () => {
    const page = await openWithAccounts(world, screen, '/');
    await choose(page, 'Bluesky', 'Threads');
    await page.getByRole('button', { name: 'Save as group' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Text lovers');
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.reload();
    await expect.poll(() => page.getByRole('checkbox', { checked: true }).count()).toBe(12);
    const group = page.getByRole('button', { name: 'Text lovers (2)' });
    await group.click();
    await page.getByRole('button', { name: 'Post to 2 accounts' }).waitFor();
    expect(await group.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('button', { name: 'Menu of the group Text lovers' }).click();
    await page.getByRole('menuitem', { name: 'Rename group' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Writers');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Writers (2)' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `group-${name}`);
    expect(await isWithinScreen(page)).toBe(true);
    await page.getByRole('button', { name: 'Menu of the group Writers' }).click();
    await page.getByRole('menuitem', { name: 'Delete group' }).click();
    await page.getByRole('button', { name: 'Save as group' }).waitFor();
    expect(world.problems).toEqual([]);
  });

  test('a wide video is cropped or gets bars', async () => {
    const page = await openWithAccounts(world, screen, '/');
    await page.setInputFiles('input[type=file]', await makeVideo({ seconds: 4, width: 960, height: 540, fps: 25 }));
    await choose(page, 'Mastodon');
    await page.getByText(/960 × 540, not vertical/).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `wide-${name}`);
    await page.getByRole('radio', { name: 'Crop' }).check();
    await page.getByText('The video will be cropped to 9:16.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('radio', { name: 'Add bars' }).check();
    await page.getByText('Bars will be added to make the video 9:16.').waitFor();
    await expect.poll(async () => (await storedDraft(page)).draft.upload).toMatchObject({ id: expect.any(String) });

    // After a reload the page cannot see the video, so the service says what is wrong with it.
    await page.reload();
    await page.getByText('Bars will be added to make the video 9:16.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The video is not vertical').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add bars' }).click();
    await page.getByText('Bars will be added to make the video 9:16.').waitFor();
    await page.getByRole('button', { name: 'Remove video' }).click();
    await page.getByText('Bars will be added').waitFor({ state: 'detached' });
    expect(world.problems).toEqual([]);
  });

  test('a changed post is not made again by accident', async () => {
    const page = await openWithAccounts(world, screen, '/');
    const key = async () => (await storedDraft(page)).draft.key;
    const compose = async (description: string) => {
      await page.setInputFiles('input[type=file]', video);
      await page.getByLabel('Description').fill(description);
    };
    await choose(page, 'Mastodon');
    await compose('Before');
    const first = await key();
    await page.getByRole('button', { name: 'Post to 1 account' }).click();
    await page.getByText('1 of 1 posted').waitFor();
    await page.goto(`${world.service.url}/app/`);
    await compose('After');
    await page.getByText('Ready for 1 account.').waitFor();
    expect(await key()).not.toBe(first);
    // As if the response to the first press had been lost.
    const { place, draft } = await storedDraft(page);
    await page.evaluate(([name, text]) => localStorage.setItem(name, text), [
      place,
      JSON.stringify({ ...draft, key: first }),
    ] as const);
    await page.reload();
    await page.getByRole('button', { name: 'Post to 1 account' }).click();
    await page.getByText('This post was already made').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Post the changed version too' }).click();
    await page.getByText('1 of 1 posted').waitFor();
    expect(world.problems).toEqual([]);
  });
});

/** The draft of the only user of the browser, and the name of its place in the storage. */
function storedDraft(page: Page): Promise<{ place: string; draft: Partial<Draft> }> {
  return page.evaluate(() => {
    const place = Object.keys(localStorage).find((name) => name.startsWith('reelay-draft-')) ?? '';
    return { place, draft: JSON.parse(localStorage.getItem(place) ?? '{}') };
  });
}

async function choose(page: Page, ...platforms: string[]): Promise<void> {
  for (const platform of platforms) await accountCard(page, platform).click();
}

async function openOptions(page: Page, platform: string) {
  await page.getByRole('button', { name: new RegExp(`^Options for .* \\(${platform}\\)`) }).click();
  return page.getByRole('dialog', { name: /^Options for/ });
}

/** Whether nothing has to be scrolled sideways. */
function isWithinScreen(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);
}

/** Published texts of the newest posts, by platform. */
async function publishedTexts({ service }: E2eWorld): Promise<[string, string][]> {
  const rows = await service.db.query<{ platform: string; text: string }>(
    "select platform, entry->>'text' as text from sandbox.published where not removed order by seq",
  );
  return rows.map(({ platform, text }) => [platform, text]);
}
