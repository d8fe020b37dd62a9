/** Accessibility: each page, and the states of pages that need more than a visit. */
import type { Locator } from '@playwright/test';
import { totp } from '../../../../packages/server/test/harness/totp.ts';
import { makeVideo } from '../../../../packages/server/test/media/fixtures.ts';
import { expectAccessible } from './accessibility.ts';
import { accountCard, openOptions } from './compose-steps.ts';
import { type FilledUser, test } from './filled-user.ts';
import { expect, type Page } from './fixtures.ts';
import { expectUntranslated } from './own-texts.ts';
import { drawRule } from './rule-steps.ts';

interface Scene {
  name: string;
  /** Path of the page. */
  at: string | ((filled: FilledUser) => string);
  /** Who opens it; default: the user with data. */
  by?: 'visitor' | 'operator' | 'new user';
  /** Ends when the page shows what is checked. */
  reach(page: Page, filled: FilledUser): Promise<void>;
  /** `@layout`: also on a phone. */
  tag?: '@layout' | '@phone';
}

const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
const dialog = (page: Page, name?: string | RegExp) => page.getByRole('dialog', name ? { name } : {});

/** Reaches a page that shows an element. */
const shows = (element: (page: Page) => Locator) => (page: Page) => expect(element(page).first()).toBeVisible();
const showsTitle = (name: string) => shows((page) => heading(page, name));
const showsText = (text: string | RegExp) => shows((page) => page.getByText(text));

/** Reaches a dialog by a button. */
const showsDialog = (opener: string | RegExp, content?: string | RegExp) => async (page: Page) => {
  await button(page, opener).first().click();
  await expect(dialog(page).last()).toBeVisible();
  if (content) await expect(dialog(page).getByText(content).first()).toBeVisible();
};

const PAGES: Scene[] = [
  { name: 'sign-in', at: '/app/sign-in', by: 'visitor', reach: shows((page) => button(page, 'Sign in')) },
  { name: 'forgotten password', at: '/app/reset-password', by: 'visitor', reach: showsTitle('New password') },
  { name: 'Compose', at: '/app/', reach: shows((page) => accountCard(page, 'Mastodon')) },
  { name: 'posts', at: '/app/posts', reach: showsText('A walk through Rome at night') },
  { name: 'a post', at: ({ posts }) => `/app/posts/${posts.posted}`, reach: showsText('2 of 2 posted') },
  {
    name: 'calendar by month',
    at: ({ day }) => `/app/calendar?view=month&date=${day}`,
    reach: shows((page) => page.getByTitle('Planned for later')),
  },
  {
    name: 'calendar by week',
    at: ({ day }) => `/app/calendar?view=week&date=${day}`,
    reach: shows((page) => page.getByTitle('Planned for later')),
  },
  {
    name: 'calendar as a list',
    at: ({ day }) => `/app/calendar?view=list&date=${day}`,
    reach: showsText('Planned for later'),
  },
  { name: 'accounts', at: '/app/accounts', reach: showsText('12 connected accounts, 1 to reconnect') },
  {
    name: 'reposts as a picture',
    at: '/app/reposts?view=picture',
    // A horizontal line has no height, so it does not count as visible.
    reach: (page) => expect(page.locator('.react-flow__edge-path').first()).toBeAttached(),
  },
  {
    name: 'reposts in a table',
    at: '/app/reposts?view=table',
    reach: shows((page) => button(page, /^Open the rule from Mastodon/)),
  },
  { name: 'settings', at: '/app/settings', reach: showsText('This session') },
  { name: 'sandbox', at: '/app/sandbox', by: 'operator', reach: showsText('Waves at #dawn') },
  { name: 'users', at: '/app/operator/users', by: 'operator', reach: shows((page) => button(page, /^Actions/)) },
  { name: 'platforms', at: '/app/operator/platforms', by: 'operator', reach: showsText('Needs none') },
  { name: 'queue', at: '/app/operator/queue', by: 'operator', reach: showsText('Running') },
  { name: 'storage', at: '/app/operator/storage', by: 'operator', reach: showsText('Free space') },
  {
    name: 'checks',
    at: '/app/operator/doctor',
    by: 'operator',
    reach: async (page) => {
      await button(page, 'Run checks').click();
      await expect(page.getByText(/last heartbeat/)).toBeVisible();
    },
  },
  { name: 'audit log', at: '/app/operator/audit', by: 'operator', reach: showsText('rule.add') },
  { name: 'unknown page', at: '/app/nothing', reach: showsTitle('Page not found') },
  { name: 'API reference', at: '/docs', by: 'visitor', reach: showsTitle('API reference') },
  { name: 'operation with a response', at: '/docs/getPost', by: 'visitor', reach: showsText('Try it') },
  { name: 'operation with a body', at: '/docs/addRepost', reach: showsText('with your session') },
  { name: 'operation with a file', at: '/docs/checkPost', reach: showsText('with your session') },
];

const STATES: Scene[] = [
  // Nothing is there yet.
  { name: 'Compose without accounts', at: '/app/', by: 'new user', reach: showsText('Try it with simulated accounts') },
  { name: 'posts without posts', at: '/app/posts', by: 'new user', reach: showsText('Nothing has been posted yet.') },
  { name: 'reposts without accounts', at: '/app/reposts', by: 'new user', reach: showsText(/at least two accounts/) },
  { name: 'accounts without accounts', at: '/app/accounts', by: 'new user', reach: showsText('Connect an account') },
  // Around the page.
  {
    name: 'refused sign-in',
    at: '/app/sign-in',
    by: 'visitor',
    async reach(page) {
      await page.getByLabel('Email').fill('nobody@example.org');
      await page.getByLabel('Password').first().fill('not the password');
      await button(page, 'Sign in').click();
      await expect(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'user menu',
    at: '/app/posts',
    tag: '@layout',
    async reach(page) {
      await button(page, 'User menu').click();
      await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible();
    },
  },
  {
    name: 'menu of a phone',
    at: '/app/posts',
    tag: '@phone',
    async reach(page) {
      await button(page, /^Menu$/).click();
      await expect(page.getByRole('link', { name: 'Settings', exact: true })).toBeInViewport();
    },
  },
  {
    name: 'notifications',
    at: '/app/posts',
    tag: '@layout',
    reach: showsDialog(/^Notifications, \d+ unread$/, 'A post failed on 3 of 3 accounts'),
  },
  {
    name: 'no notifications',
    at: '/app/posts',
    by: 'new user',
    reach: showsDialog('Notifications', 'Nothing needs your attention.'),
  },
  {
    name: 'lost connection',
    at: '/app/posts',
    tag: '@layout',
    async reach(page) {
      await expect(page.getByText('A walk through Rome at night')).toBeVisible();
      await page.route('**/api/v1/events', (route) => route.abort());
      await page.reload();
      await expect(page.getByText('Connection lost')).toBeVisible();
    },
  },
  {
    name: 'page without connection',
    at: '/app/posts',
    async reach(page) {
      await expect(page.getByText('A walk through Rome at night')).toBeVisible();
      await page.route('**/api/**', (route) => route.abort());
      await page.reload();
      await expect(heading(page, 'No connection')).toBeVisible();
    },
  },
  // Compose.
  {
    name: 'draft with questions',
    at: '/app/',
    tag: '@layout',
    async reach(page, { video }) {
      await writeDraft(page, video, ['TikTok', 'YouTube', 'Mastodon']);
      await expect(button(page, /^Answer \d more questions$/)).toBeVisible();
      await expect(page.getByRole('slider', { name: 'Cover' })).toBeVisible();
      await page.getByRole('switch', { name: /^Safe zone/ }).check();
    },
  },
  {
    name: 'options of a post',
    at: '/app/',
    tag: '@layout',
    async reach(page) {
      await accountCard(page, 'TikTok').check();
      const drawer = await openOptions(page, 'TikTok');
      await drawer.getByRole('switch', { name: 'Disclose video content' }).click();
      await expect(drawer.getByText('You need to indicate if your content promotes yourself')).toBeVisible();
    },
  },
  {
    name: 'long description',
    at: '/app/',
    async reach(page) {
      await accountCard(page, 'Facebook').check();
      await page.getByLabel('Description').fill('🌅 مرحبا '.repeat(700));
      await expect(page.getByText(/characters. The maximum is 5,000/)).toBeVisible();
    },
  },
  {
    name: 'wide video',
    at: '/app/',
    tag: '@layout',
    async reach(page) {
      await writeDraft(page, await makeVideo({ seconds: 4, width: 960, height: 540, fps: 25 }), ['Mastodon']);
      await expect(page.getByText(/960 × 540, not vertical/)).toBeVisible();
    },
  },
  {
    name: 'refused video',
    at: '/app/',
    async reach(page) {
      const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no video') };
      await page.setInputFiles('input[type=file]', file);
      await expect(page.getByText('The file is not a video.')).toBeVisible();
    },
  },
  {
    name: 'paused upload',
    at: '/app/',
    async reach(page, { video }) {
      // The response never comes.
      await page.route('**/api/v1/uploads/*', () => {});
      await page.setInputFiles('input[type=file]', video);
      await button(page, 'Pause').click();
      await expect(page.getByText(/^Paused at/)).toBeVisible();
    },
  },
  {
    name: 'suggested times',
    at: '/app/',
    tag: '@layout',
    async reach(page) {
      // The accounts above move the field when they arrive.
      await expect(accountCard(page, 'Mastodon')).toBeVisible();
      await page.getByRole('radio', { name: 'Later' }).check();
      await expect(page.getByRole('group', { name: 'Suggested times' })).toBeVisible();
    },
  },
  {
    name: 'group of accounts',
    at: '/app/',
    tag: '@layout',
    async reach(page) {
      for (const platform of ['Bluesky', 'Threads']) await accountCard(page, platform).check();
      await button(page, 'Save as group').click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Text lovers');
      await button(page, /^Save$/).click();
      await expect(button(page, 'Text lovers (2)')).toBeVisible();
    },
  },
  // Posts.
  { name: 'posts without match', at: '/app/posts?text=xylophone', reach: showsText('No post matches these filters.') },
  {
    name: 'failed post',
    at: ({ posts }) => `/app/posts/${posts.failed}`,
    tag: '@layout',
    async reach(page) {
      await expect(page.getByText('0 of 3 posted, 3 failed')).toBeVisible();
      await button(page, 'What happened').first().click();
      await expect(button(page, 'Hide').first()).toBeVisible();
    },
  },
  {
    name: 'post with an unknown outcome',
    at: ({ posts }) => `/app/posts/${posts.unknown}`,
    reach: showsText('0 of 1 posted, 1 with an unknown outcome'),
  },
  {
    name: 'posting again after an unknown outcome',
    at: ({ posts }) => `/app/posts/${posts.unknown}`,
    tag: '@layout',
    reach: showsDialog(/^Post again on Telegram/, 'it then appears twice'),
  },
  {
    name: 'list of drafts',
    at: '/app/',
    tag: '@layout',
    async reach(page) {
      await page.getByLabel('Description').fill('Half a thought');
      await button(page, /^Drafts/).click();
      await expect(dialog(page, 'Drafts').getByText('Half a thought')).toBeVisible();
    },
  },
  {
    name: 'list of snippets',
    at: '/app/',
    tag: '@layout',
    async reach(page) {
      await button(page, 'Snippets').click();
      await expect(dialog(page, 'Snippets').getByText(/^No snippets/)).toBeVisible();
      await button(page, 'New snippet').click();
      await dialog(page, 'Snippets').getByLabel('Name').fill('Travel tags');
      await dialog(page, 'Snippets').getByLabel('Text').fill('#travel #roadtrip');
      await button(page, 'Save snippet').click();
      await expect(button(page, 'Edit snippet: Travel tags')).toBeVisible();
    },
  },
  { name: 'post on its way', at: ({ posts }) => `/app/posts/${posts.underWay}`, reach: showsTitle('Posting …') },
  {
    name: 'post in trouble',
    at: ({ posts }) => `/app/posts/${posts.troubled}`,
    tag: '@layout',
    reach: showsTitle('Posting … 2 accounts are being retried'),
  },
  { name: 'scheduled post', at: ({ posts }) => `/app/posts/${posts.scheduled}`, reach: showsTitle('Scheduled') },
  {
    name: 'editing a post',
    at: ({ posts }) => `/app/posts/${posts.scheduled}/edit`,
    tag: '@layout',
    reach: showsTitle('Edit post'),
  },
  {
    name: 'editing a post that has begun',
    at: ({ posts }) => `/app/posts/${posts.underWay}/edit`,
    reach: showsTitle('This post can no longer be changed'),
  },
  {
    name: 'canceling a post',
    at: ({ posts }) => `/app/posts/${posts.scheduled}`,
    tag: '@layout',
    reach: showsDialog('Cancel post', 'Move it to your drafts'),
  },
  {
    name: 'changing the time in the calendar',
    at: ({ day }) => `/app/calendar?view=list&date=${day}`,
    tag: '@layout',
    async reach(page) {
      await button(page, /^Change time of .* Planned for later/).click();
      await dialog(page, 'Change time').getByLabel('Time', { exact: true }).fill('');
      await expect(page.getByText('Enter a date and a time.')).toBeVisible();
    },
  },
  // Accounts.
  { name: 'connecting an account', at: '/app/accounts', tag: '@layout', reach: showsDialog(/^Bluesky/, 'Connect') },
  {
    name: 'reconnecting an account',
    at: '/app/accounts',
    tag: '@layout',
    reach: showsDialog('Reconnect', 'Its scheduled posts and rules are kept.'),
  },
  {
    name: 'platform that is not set up',
    at: '/app/accounts',
    tag: '@layout',
    reach: showsDialog(/^Pinterest/, 'Pinterest is not set up'),
  },
  {
    name: 'setup of a platform',
    at: '/app/accounts?setup=pinterest',
    by: 'operator',
    tag: '@layout',
    reach: shows((page) => dialog(page, 'Set up Pinterest').getByLabel('Redirect URL', { exact: true })),
  },
  {
    name: 'details of an account',
    at: '/app/accounts',
    tag: '@layout',
    async reach(page) {
      await button(page.getByRole('article', { name: /^Threads:/ }), 'Details').click();
      await expect(dialog(page, 'Details').getByText('250 posts of 250 left')).toBeVisible();
    },
  },
  {
    name: 'disconnecting an account',
    at: '/app/accounts',
    tag: '@layout',
    async reach(page) {
      await button(page.getByRole('article', { name: /^Bluesky:/ }), 'Details').click();
      await button(dialog(page, 'Details'), 'Disconnect').click();
      await expect(page.getByText(/will fail on this account/)).toBeVisible();
    },
  },
  // Reposts.
  {
    name: 'adding a rule',
    at: '/app/reposts?view=table',
    tag: '@layout',
    reach: showsDialog('Add rule', 'Rules that would form a loop are refused.'),
  },
  {
    name: 'rule that would form a loop',
    at: '/app/reposts?view=picture',
    async reach(page) {
      await drawRule(page, 'Bluesky', 'Mastodon');
      await expect(page.getByText(/would form a loop/)).toBeVisible();
    },
  },
  { name: 'activity of a rule', at: ruleAt, tag: '@layout', reach: shows((page) => tab(page, 'Activity')) },
  {
    name: 'options of a rule',
    at: ruleAt,
    tag: '@layout',
    async reach(page) {
      await tab(page, 'Options').click();
      await dialog(page).getByRole('textbox', { name: 'Template' }).fill('{caption} {nothing}');
      await expect(page.getByText(/unknown placeholder/)).toBeVisible();
    },
  },
  {
    name: 'preview of a rule',
    at: ruleAt,
    tag: '@layout',
    async reach(page) {
      await tab(page, 'Preview').click();
      await expect(dialog(page).getByText('Waves at #dawn').first()).toBeVisible();
    },
  },
  {
    name: 'older posts of a rule',
    at: ruleAt,
    tag: '@layout',
    async reach(page) {
      await tab(page, 'Older posts').click();
      await expect(dialog(page).getByText('Waves at #dawn')).toBeVisible();
    },
  },
  {
    name: 'pausing a rule',
    at: '/app/reposts?view=table',
    tag: '@layout',
    reach: showsDialog(/^Pause the rule from Mastodon/, 'New posts during the pause'),
  },
  {
    name: 'deleting a rule',
    at: ruleAt,
    tag: '@layout',
    reach: showsDialog(/^Delete$/, 'Its options and activity are lost'),
  },
  // Settings.
  {
    name: 'new API key',
    at: '/app/settings',
    by: 'new user',
    tag: '@layout',
    async reach(page) {
      await button(page, 'Create key').click();
      await expect(page.getByTestId('key')).toBeVisible();
    },
  },
  {
    name: 'deleting the account',
    at: '/app/settings',
    tag: '@layout',
    reach: showsDialog('Delete my account', /connected account/),
  },
  // The operator.
  {
    name: 'plan of a user',
    at: '/app/operator/users',
    by: 'operator',
    tag: '@layout',
    reach: showsUserDialog('Change plan'),
  },
  { name: 'suspending a user', at: '/app/operator/users', by: 'operator', reach: showsUserDialog('Suspend') },
  {
    name: 'post from the phone',
    at: '/app/sandbox',
    by: 'operator',
    tag: '@layout',
    reach: showsDialog('Post from the phone'),
  },
  {
    name: 'faults of the sandbox',
    at: '/app/sandbox',
    by: 'operator',
    tag: '@layout',
    reach: showsDialog('Faults', 'Every request to the platform meets the fault'),
  },
  {
    name: 'reset of the sandbox',
    at: '/app/sandbox',
    by: 'operator',
    tag: '@layout',
    reach: showsDialog('Reset', /lose their access/),
  },
  // The API reference.
  {
    name: 'list of operations on a phone',
    at: '/docs',
    by: 'visitor',
    tag: '@phone',
    async reach(page) {
      await button(page, 'Operations').click();
      await page.getByRole('searchbox', { name: 'Search operations' }).fill('cancelSchedule');
      await expect(page.getByRole('navigation').getByText('1 operation found')).toBeVisible();
    },
  },
  {
    name: 'response of an operation',
    at: '/docs/platforms',
    tag: '@layout',
    async reach(page) {
      await expect(page.getByText('with your session')).toBeVisible();
      await button(page, 'Send').click();
      await expect(page.getByText('200 OK')).toBeVisible();
    },
  },
  {
    name: 'destructive operation',
    at: '/docs/deletePost',
    async reach(page, { posts }) {
      await expect(page.getByText('with your session')).toBeVisible();
      await page.getByRole('textbox', { name: 'id' }).fill(posts.posted);
      await button(page, 'Send').click();
      await expect(dialog(page).getByText('This is a real request.')).toBeVisible();
    },
  },
  { name: 'unknown operation', at: '/docs/nothing', by: 'visitor', reach: showsText(/There is no operation/) },
];

function ruleAt({ rule }: FilledUser): string {
  return `/app/reposts?view=table&rule=${rule}`;
}

function tab(page: Page, name: string): Locator {
  return dialog(page).getByRole('tab', { name });
}

function showsUserDialog(action: string) {
  return async (page: Page, { user }: FilledUser) => {
    await page.getByRole('searchbox').fill(user.email);
    await button(page, `Actions: ${user.email}`).click();
    await page.getByRole('menuitem', { name: action }).click();
    await expect(dialog(page)).toBeVisible();
  };
}

async function writeDraft(page: Page, video: string, platforms: readonly string[]): Promise<void> {
  await page.setInputFiles('input[type=file]', video);
  await page.getByLabel('Description').fill('First light #sunrise');
  for (const platform of platforms) await accountCard(page, platform).check();
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible();
}

const SCENES = [...PAGES.map((scene) => ({ ...scene, tag: '@layout' })), ...STATES];

for (const { name, at, by, reach, tag } of SCENES)
  test(name, tag ? { tag } : {}, async ({ open, filled, operator, service }) => {
    const userBy = { visitor: () => undefined, operator: () => operator, 'new user': () => service.newSession() };
    const page = await open({ user: by ? await userBy[by]() : filled.user });
    await page.goto(typeof at === 'string' ? at : at(filled));
    await reach(page, filled);
    await expectUntranslated(page, filled.texts);
    await expectAccessible(page, name);
  });

test.describe('without users', () => {
  test.use({ serviceConfig: {} });

  test('first sign-up is accessible', { tag: '@layout' }, async ({ open }) => {
    const page = await open();
    await page.goto('/');
    await expect(heading(page, 'Welcome to Reelay')).toBeVisible();
    await expectAccessible(page, 'first sign-up');
  });
});

test('two-step verification is accessible', { tag: '@layout' }, async ({ page, user }) => {
  await page.goto('/app/settings');
  await button(page.getByRole('region', { name: 'Two-step verification' }), 'Set up').click();
  await dialog(page).getByLabel('Password').first().fill(user.password);
  await button(dialog(page), 'Set up').click();
  const secret = page.getByTestId('secret');
  await expectAccessible(page, 'two-step verification: QR code');
  const code = totp(`otpauth://totp/x?secret=${await secret.textContent()}`);
  await page.getByLabel('Code from the app').fill(code);
  await button(page, 'Turn on').click();
  await expect(page.getByTestId('backup-codes')).toBeVisible();
  await expectAccessible(page, 'two-step verification: backup codes');
});

/** The element with the focus; null at the end of the page. `isSeen`: it, or what belongs to it, is painted differently. */
const focusedElement = (page: Page) =>
  page.evaluate(() => {
    const { activeElement: focused } = document;
    if (!(focused instanceof HTMLElement) || focused === document.body) return null;
    const painted = () =>
      [focused, focused.nextElementSibling, focused.parentElement].map((element) => {
        if (!element) return '';
        const { outlineStyle, outlineWidth, borderColor, boxShadow, backgroundColor, left } = getComputedStyle(element);
        return [outlineStyle, outlineWidth, borderColor, boxShadow, backgroundColor, left].join(' ');
      });
    const before = painted().join();
    focused.blur();
    const isSeen = painted().join() !== before;
    focused.focus();
    return { isSeen, html: focused.outerHTML.slice(0, 150) };
  });

test('the focused element is visible', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/app/posts');
  await expect(heading(page, 'Posts')).toBeVisible();
  const found: { isSeen: boolean; html: string }[] = [];
  for (let stops = 0; stops < 60; stops++) {
    await page.keyboard.press('Tab');
    const focused = await focusedElement(page);
    if (!focused) break;
    found.push(focused);
  }
  expect(found.length).toBeGreaterThan(8);
  expect(found.filter(({ isSeen }) => !isSeen)).toEqual([]);
});

test('reduced motion ends all transitions', async ({ page }) => {
  await page.goto('/app/posts');
  await expect(heading(page, 'Posts')).toBeVisible();
  const moving = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll('*')].filter((element) =>
          ['', '::before', '::after'].some((part) => {
            const { transitionDuration, animationDuration } = getComputedStyle(element, part || null);
            return /[1-9]/.test(transitionDuration + animationDuration);
          }),
        ).length,
    );
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(moving).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(moving).toBe(0);
});

test.describe('the check itself', () => {
  for (const [problem, html, style] of [
    ['light: image-alt', '<img src="/app/icon.svg">', ''],
    ['dark: color-contrast', '<p id="planted">Dark</p>', '[data-mantine-color-scheme=dark] #planted { color: #333 }'],
    ['wider than the screen by', '<p id="planted">Wide</p>', '#planted { width: 3000px }'],
  ] as const)
    test(`finds a planted problem: ${problem}`, async ({ page }) => {
      await page.goto('/app/posts');
      await expect(heading(page, 'Posts')).toBeVisible();
      await page.evaluate(
        ([planted, text]) => {
          document.querySelector('main')?.insertAdjacentHTML('beforeend', planted);
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(text);
          document.adoptedStyleSheets.push(sheet);
        },
        [html, style] as const,
      );
      await expect(expectAccessible(page, 'planted')).rejects.toThrow(`planted, ${problem}`);
    });
});
