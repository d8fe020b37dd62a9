import type { Post } from '@reelay/sdk';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openLine } from '../../../../packages/server/test/uploads/broken-line.ts';
import {
  answerQuestions,
  type E2eWorld,
  holdResponse,
  SCREENS,
  seriousProblems,
  shoot,
  startE2eWorld,
} from './browser.ts';
import { post, visit } from './post-steps.ts';

const HOUR_MS = 3_600_000;

describe.each(SCREENS)('on a %s', (name, screen) => {
  let world: E2eWorld;
  beforeAll(async () => {
    world = await startE2eWorld();
  });
  afterEach(() => world.closePages());
  afterAll(() => world.close());

  test('unknown addresses keep the frame and lead on', async () => {
    const { page } = await visit(world, screen);
    for (const path of ['nothing', 'posts/01a20a0e-3127-731f-8cb1-7f6ab64f2d93']) {
      await page.goto(`${world.service.url}/app/${path}`);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByRole('button', { name: 'User menu' }).waitFor();
      expect(await seriousProblems(page)).toEqual([]);
    }
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await page.getByRole('heading', { name: 'New post' }).waitFor();
    expect(world.problems).toEqual([]);
  });

  test('a visit without connection says so, and is repeated', async () => {
    const { page } = await visit(world, screen);
    await page.route('**/api/**', (route) => route.abort());
    await page.goto(`${world.service.url}/app/posts`);
    await page.getByRole('heading', { name: 'No connection' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing has been posted yet.').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('two tabs share one stream and show changes of each other', async () => {
    const { user, page } = await visit(world, screen);
    const other = await page.context().newPage();
    for (const each of [page, other]) await each.goto(`${world.service.url}/app/posts`);
    await Promise.all([page, other].map((each) => each.getByText('Nothing has been posted yet.').waitFor()));
    const { live } = world.service.context;
    await expect.poll(() => live.count()).toBe(1);
    await post(world, user, 'From another program', ['tiktok']);
    for (const each of [page, other])
      await each.getByRole('listitem').filter({ hasText: 'From another program' }).getByText('Posted').waitFor();
    await expect.poll(() => live.count()).toBe(1);

    // The tab that remains reads the stream itself.
    await page.close();
    await post(world, user, 'Later', ['tiktok']);
    await other.getByRole('listitem').filter({ hasText: 'Later' }).getByText('Posted').waitFor();
    await other.close();
    await expect.poll(() => live.count()).toBe(0);
    expect(world.problems).toEqual([]);
  });

  test('a second tab shows a change made while it loads', async () => {
    const { user, page } = await visit(world, screen);
    const id = await post(world, user, 'Before', ['mastodon'], [['scheduled', String(Date.now() + 48 * HOUR_MS)]]);
    await page.goto(`${world.service.url}/app/posts`);
    await page.getByText('Before').waitFor();
    await expect.poll(() => world.service.context.live.count()).toBe(1);
    const other = await page.context().newPage();
    const held = await holdResponse(other, `**/api/v1/**/${id}`);
    await other.goto(`${world.service.url}/app/posts/${id}`);
    await held.isRead;
    await user.call('PATCH', `/post/${id}`, { json: { description: 'After' } });
    // The event has reached the first tab, and the second one does not listen yet.
    await page.getByText('After').waitFor();
    held.release();
    await other.getByText('After').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('a lost connection is announced and made up for', async () => {
    const line = await openLine();
    line.leadTo(world.service.url);
    const { user, page } = await visit(world, screen, line.url);
    await page.goto(`${line.url}/app/posts`);
    await page.getByText('Nothing has been posted yet.').waitFor();
    await expect.poll(() => world.service.context.live.count()).toBe(1);
    line.cut();
    await page.getByRole('status').getByText('Connection lost').waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `lost-${name}`);
    await post(world, user, 'Meanwhile', ['tiktok']);
    line.leadTo(world.service.url);
    await page.getByRole('listitem').filter({ hasText: 'Meanwhile' }).waitFor();
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    await line.close();
    expect(world.problems).toEqual([]);
  });

  test('a stream that is refused is replaced by polling', async () => {
    const { user, page } = await visit(world, screen);
    await page.route('**/api/v1/events', (route) => route.abort());
    await page.goto(`${world.service.url}/app/posts`);
    await page.getByText('Connection lost').waitFor();
    await post(world, user, 'Polled', ['tiktok']);
    await page.getByRole('listitem').filter({ hasText: 'Polled' }).getByText('Posted').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('signing out in one tab signs out the others', async () => {
    const { page } = await visit(world, screen);
    const other = await page.context().newPage();
    for (const each of [page, other]) await each.goto(`${world.service.url}/app/posts`);
    await Promise.all([page, other].map((each) => each.getByText('Nothing has been posted yet.').waitFor()));
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(world.problems).toEqual([]);
  });

  test('failed accounts are explained and retried by cause', async () => {
    const { user, page } = await visit(world, screen);
    const rejected = await post(world, user, 'Too much #sandbox-reject', ['tiktok', 'mastodon', 'youtube']);
    await page.goto(`${world.service.url}/app/posts/${rejected}`);
    await page.getByText('0 of 3 posted, 3 failed').waitFor();
    await page.getByRole('heading', { name: 'Not posted' }).waitFor();
    await page.getByRole('button', { name: 'What happened' }).first().click();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `failed-${name}`);
    await page.getByRole('button', { name: 'Retry' }).first().click();
    // Stays in the timeline; "Posting …" may be over before it is seen.
    await page.getByText('Retry requested.').waitFor();
    await page.getByText('0 of 3 posted, 3 failed').waitFor();
    expect(world.problems).toEqual([]);
  });

  test('an unknown outcome is posted again for one account', async () => {
    const { user, page } = await visit(world, screen);
    const id = await post(world, user, 'Lost #sandbox-lost-answer', ['telegram', 'mastodon']);
    await page.goto(`${world.service.url}/app/posts/${id}`);
    await page.getByText('Reelay does not know whether this was posted').waitFor();
    // Only Telegram can never tell what it has.
    await world.service.db.execute(
      `update target set state = 'failed', code = 'outcome_unknown', due_at = null, version = version + 1
       where post_id = $1`,
      [id],
    );
    await page.reload();
    await page.getByText('0 of 2 posted, 2 with an unknown outcome').waitFor();
    await page.getByText(/Telegram: look for this video on/).waitFor();
    expect(await page.getByRole('button', { name: /^Post again on/ }).count()).toBe(2);
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `unknown-${name}`);
    await page.getByRole('button', { name: /^Post again on Telegram/ }).click();
    const dialog = page.getByRole('dialog', { name: /Telegram/ });
    await dialog.getByText(/appears twice/).waitFor();
    await dialog.getByRole('button', { name: 'Post again', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const retried = async () => {
      const { targets }: Post = (await user.get(`/post/${id}`)).body.data;
      return targets.map(({ timeline }) => timeline.some(({ message }) => message?.code === 'retry_requested_verify'));
    };
    await expect.poll(retried).toEqual([true, false]);
    expect(world.problems).toEqual([]);
  });

  test('a scheduled post is edited, canceled and copied', async () => {
    const { user, page } = await visit(world, screen);
    const fields: [string, string][] = [['scheduled', String(Date.now() + 48 * HOUR_MS)]];
    const id = await post(world, user, 'Tomorow', ['tiktok', 'mastodon'], fields);
    await page.goto(`${world.service.url}/app/posts/${id}`);
    await page.getByRole('heading', { name: 'Scheduled' }).waitFor();
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `scheduled-${name}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    // Only the text is saved: the time that another program changes meanwhile is kept.
    const later = Date.now() + 72 * HOUR_MS;
    await user.call('PATCH', `/post/${id}`, { json: { scheduled: later } });
    await page.locator(`time[datetime="${new Date(later).toISOString()}"]`).waitFor({ state: 'attached' });
    await page.getByRole('dialog').getByLabel('Description').fill('Tomorrow');
    expect(await seriousProblems(page)).toEqual([]);
    await shoot(page, `edit-${name}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Tomorrow', { exact: true }).waitFor();
    expect((await user.get(`/post/${id}`)).body.data.date).toBe(new Date(later).toISOString());

    await page.getByRole('button', { name: 'Post again as a copy' }).click();
    await page.getByRole('heading', { name: 'New post' }).waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Tomorrow');
    await answerQuestions(page);
    await page.getByRole('button', { name: 'Post to 2 accounts' }).click();
    await page.getByText('2 of 2 posted').waitFor();
    await shoot(page, `posted-${name}`);

    await page.goto(`${world.service.url}/app/posts/${id}`);
    await page.getByRole('button', { name: 'Cancel post' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel post' }).click();
    await page.getByText('1 post', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Tomorrow' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog')
      .getByText(/2 published posts stay online/)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Nothing has been posted yet.').waitFor();
    expect(world.problems).toEqual([]);
  });
  test('a scheduled time is edited in the zone of the user', async () => {
    const { user, page } = await visit(world, { ...screen, timezoneId: 'America/New_York' });
    await world.service.db.execute(`update auth."user" set zone = 'Asia/Kolkata' where id = $1`, [user.userId]);
    const noon = Math.ceil((Date.now() + 48 * HOUR_MS) / (24 * HOUR_MS)) * 24 * HOUR_MS + 12 * HOUR_MS;
    const id = await post(world, user, 'Far away', ['mastodon'], [['scheduled', String(noon)]]);
    await page.goto(`${world.service.url}/app/posts/${id}`);
    await page.getByText(/5:30\sPM/).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByText('Asia/Kolkata').waitFor();
    expect(await page.getByRole('dialog').getByLabel('Time', { exact: true }).inputValue()).toBe('17:30');
    await page.getByRole('dialog').getByLabel('Time', { exact: true }).fill('06:15');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { date } = (await user.get(`/post/${id}`)).body.data;
    expect(new Date(date).getTime()).toBe(noon - 11.25 * HOUR_MS);
    expect(world.problems).toEqual([]);
  });
});
