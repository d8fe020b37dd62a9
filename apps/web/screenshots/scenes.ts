/** Every page, and the states of pages that need a click. A new page appears by itself: see `discoverPages`. */
import type { Page } from '@playwright/test';
import { EMAIL, type Filled, PASSWORD } from './world.ts';

/** A picture of the documentation. Sizes in CSS pixels. */
export interface Picture {
  name: string;
  width: number;
  height: number;
}

export interface Scene {
  name: string;
  /** Below the address of the service. */
  path: string;
  /** Leads to the state. A step that fails is reported, and the picture is made nevertheless. */
  prepare?(page: Page, filled: Filled): Promise<void>;
  /** Whether the visitor is not signed in. */
  isPublic?: boolean;
  /** A state of a page that has its own scene: it has no pictures at further widths and in other languages. */
  isState?: boolean;
  /** Only the visible part is taken. */
  isWindow?: boolean;
  docs?: Picture;
}

/** Before the first user exists. */
export const FIRST_RUN: readonly Scene[] = [{ name: 'first-run', path: '/app/', isPublic: true }];

/** Before the first account is connected. */
export const NEW_USER: readonly Scene[] = [
  { name: 'empty-compose', path: '/app/', isState: true },
  { name: 'empty-posts', path: '/app/posts', isState: true },
  { name: 'empty-calendar', path: '/app/calendar', isState: true },
  { name: 'empty-accounts', path: '/app/accounts', isState: true },
  { name: 'empty-reposts', path: '/app/reposts', isState: true },
  { name: 'empty-settings', path: '/app/settings', isState: true },
  { name: 'empty-sandbox', path: '/app/sandbox', isState: true },
];

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();

/** With four weeks of data. */
export function filledScenes({ posts, rules }: Filled): readonly Scene[] {
  const post = (id: string) => `/app/posts/${id}`;
  const rule = (id: string) => `/app/reposts?rule=${id}`;
  const tab = (name: string) => async (page: Page) => page.getByRole('dialog').getByRole('tab', { name }).click();
  return [
    { name: 'sign-in', path: '/app/sign-in', isPublic: true },
    { name: 'sign-in-refused', path: '/app/sign-in', isPublic: true, isState: true, prepare: refuseSignIn },
    { name: 'reset-password', path: '/app/reset-password', isPublic: true },
    { name: 'not-found', path: '/app/nothing' },
    { name: 'compose', path: '/app/' },
    {
      name: 'compose-filled',
      path: '/app/',
      isState: true,
      prepare: fillCompose,
      docs: { name: 'compose', width: 1280, height: 1200 },
    },
    { name: 'posts', path: '/app/posts', docs: { name: 'posts', width: 1280, height: 800 } },
    { name: 'posts-none', path: '/app/posts?text=xylophone', isState: true },
    { name: 'post-posted', path: post(posts.posted) },
    {
      name: 'post-partly',
      path: post(posts.partly),
      isState: true,
      docs: { name: 'post', width: 1280, height: 800 },
    },
    { name: 'post-failed', path: post(posts.failed), isState: true },
    { name: 'post-rejected', path: post(posts.rejected), isState: true, prepare: click('What happened') },
    { name: 'post-unknown', path: post(posts.unknown), isState: true },
    { name: 'post-unknown-again', path: post(posts.unknown), isState: true, prepare: click(/^Post again on/) },
    { name: 'post-under-way', path: post(posts.underWay), isState: true },
    { name: 'post-scheduled', path: post(posts.scheduled), isState: true },
    { name: 'post-edit', path: `${post(posts.scheduled)}/edit`, isState: true },
    { name: 'post-cancel', path: post(posts.scheduled), isState: true, prepare: click('Cancel post') },
    { name: 'calendar-month', path: '/app/calendar?view=month', docs: { name: 'calendar', width: 1280, height: 900 } },
    { name: 'calendar-week', path: '/app/calendar?view=week' },
    { name: 'calendar-list', path: '/app/calendar?view=list' },
    { name: 'calendar-change', path: '/app/calendar?view=list', isState: true, prepare: click(/^Change time/) },
    { name: 'accounts', path: '/app/accounts' },
    { name: 'accounts-connect', path: '/app/accounts', isState: true, prepare: click(/^Bluesky/) },
    {
      name: 'reposts-picture',
      path: '/app/reposts?view=picture',
      isWindow: true,
      docs: { name: 'reposts', width: 1280, height: 800 },
    },
    { name: 'reposts-table', path: '/app/reposts?view=table' },
    { name: 'reposts-add', path: '/app/reposts?view=table', isState: true, prepare: click('Add rule') },
    { name: 'rule-activity', path: rule(rules.active), isState: true },
    { name: 'rule-options', path: rule(rules.active), isState: true, prepare: tab('Options') },
    { name: 'rule-catalog', path: rule(rules.active), isState: true, prepare: tab('Older posts') },
    { name: 'rule-paused', path: rule(rules.paused), isState: true },
    { name: 'rule-failing', path: rule(rules.failing), isState: true },
    { name: 'settings', path: '/app/settings' },
    { name: 'operator-users', path: '/app/operator/users' },
    { name: 'operator-queue', path: '/app/operator/queue' },
    { name: 'operator-storage', path: '/app/operator/storage' },
    { name: 'operator-doctor', path: '/app/operator/doctor', prepare: click(/^(Run checks|Prüfung starten)$/) },
    { name: 'operator-audit', path: '/app/operator/audit' },
    { name: 'sandbox', path: '/app/sandbox' },
    { name: 'sandbox-phone', path: '/app/sandbox', isState: true, prepare: click('Post from the phone') },
    { name: 'sandbox-faults', path: '/app/sandbox', isState: true, prepare: click('Faults') },
    { name: 'docs', path: '/docs', isWindow: true },
    { name: 'user-menu', path: '/app/posts', isState: true, isWindow: true, prepare: click('User menu') },
    { name: 'offline', path: '/app/posts', isState: true, isWindow: true, prepare: loseConnection },
    { name: 'error', path: '/app/posts/00000000-0000-7000-8000-000000000000', isState: true },
    { name: 'menu', path: '/app/posts', isState: true, isWindow: true, prepare: openMenu },
    { name: 'not-found', path: '/app/nowhere' },
  ];
}

function click(name: string | RegExp) {
  return async (page: Page) => button(page, name).click();
}

async function refuseSignIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(EMAIL);
  await page.getByLabel('Password').first().fill(`not ${PASSWORD}`);
  await button(page, 'Sign in').click();
  await page.getByRole('alert').first().waitFor();
}

/** A complete draft, except for the answers that platforms require. Waits for the frames of the video. */
async function fillCompose(page: Page, { videos }: Filled): Promise<void> {
  await page.setInputFiles('input[type=file]', videos[3] ?? '');
  await page.getByLabel('Description').fill('A walk along the old railway, in one take #sunrise');
  await button(page, 'Select all').click();
  await button(page, 'Remove video').waitFor();
  await page.getByRole('region', { name: 'Questions to answer' }).getByRole('combobox').first().waitFor();
  // Frames are drawn when they are seen.
  await page.locator('canvas').first().scrollIntoViewIfNeeded();
  await page.waitForFunction(() =>
    [...document.querySelectorAll('canvas')].every(
      (canvas) => canvas.getContext('2d')?.getImageData(0, 0, 1, 1).data[3] === 255,
    ),
  );
  await page.mouse.move(0, 0);
}

/** The navigation of a narrow screen. */
async function openMenu(page: Page): Promise<void> {
  const burger = page.getByRole('button', { name: 'Menu', exact: true });
  if (await burger.isVisible()) await burger.click();
}

/** Refuses the stream of changes. */
async function loseConnection(page: Page): Promise<void> {
  await page.route('**/api/v1/events', (route) => route.abort());
  await page.reload();
  await page.getByText('Connection lost').first().waitFor();
}

/** Pages that a link in the navigation leads to and no scene shows, for example a new section of the settings. */
export async function discoverPages(page: Page, url: string, known: readonly Scene[]): Promise<Scene[]> {
  const found = new Set<string>();
  for (const path of ['/app/settings', '/app/operator/users', '/app/accounts']) {
    await page.goto(url + path, { waitUntil: 'load' });
    await page.locator('main a[href], nav a[href]').first().waitFor({ state: 'attached' });
    for (const link of await page.locator('a[href^="/app/"]').all()) {
      const { pathname } = new URL((await link.getAttribute('href')) ?? '', url);
      found.add(pathname);
    }
  }
  const paths = new Set(known.map(({ path }) => path.split('?')[0]));
  const isNew = (path: string) => !paths.has(path) && !/\/posts\/|\/calendar$|\/reposts$|\/operator\/?$/.test(path);
  return [...found]
    .filter(isNew)
    .sort()
    .map((path) => ({ name: path.replace(/^\/app\//, '').replaceAll('/', '-') || 'home', path }));
}
