/** The bell, the list it opens, and one notification. */
import type { Notification } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Bell } from '../../src/app/notifications/bell.tsx';
import { Item } from '../../src/app/notifications/item.tsx';
import Panel from '../../src/app/notifications/panel.tsx';
import type { Live } from '../../src/live/live.ts';
import type { LiveState } from '../../src/live/live-machine.ts';
import { LiveProvider } from '../../src/live/use-live.ts';
import { type GivenCalls, refusal } from './fake-client.ts';
import { render } from './render.tsx';

afterEach(() => void vi.useRealTimers());

type Failed = NonNullable<Notification['post']>['failed'][number];

const POST_ID = '019a0b1c-0000-7000-8000-000000000001';

const failure = (username: string, message: Failed['message'] = 'video_rejected'): Failed => ({
  id: `of ${username}`,
  platform: 'tiktok',
  username,
  displayName: '',
  message,
});

const entry = (given: Partial<Notification>): Notification => ({
  id: 'one',
  kind: 'post_failed',
  at: '2026-01-02T12:00:00Z',
  moment: null,
  read: false,
  resolved: false,
  resolvedAt: null,
  account: null,
  post: null,
  ...given,
});

const postEntry = (
  failed: Failed[],
  { accounts = failed.length, ...given }: Partial<Notification> & { accounts?: number } = {},
) => entry({ post: { id: POST_ID, description: 'A walk', filename: '', accounts, failed, troubled: [] }, ...given });

const troubleEntry = (troubled: Failed[], given: Partial<Notification> = {}) =>
  entry({
    kind: 'post_trouble',
    post: { id: POST_ID, description: 'A walk', filename: '', accounts: 4, failed: [failure('noah')], troubled },
    ...given,
  });

const accountEntry = (kind: Notification['kind'], given: Partial<Notification> = {}) =>
  entry({
    kind,
    account: { id: 'a', platform: 'mastodon', status: 'EXPIRED', username: 'nora', displayName: '' },
    ...given,
  });

const pageOf = (...data: Notification[]) => ({ data, next: null });

const live = (state: LiveState): Live => ({
  start: () => () => {},
  state: () => state,
  onState: () => () => {},
  onEvent: () => () => {},
});

const showBell = (notifications: GivenCalls['notifications'], state: LiveState = 'open') =>
  render(
    <LiveProvider value={live(state)}>
      <Bell />
    </LiveProvider>,
    { notifications },
  );

const showPanel = (notifications: GivenCalls['notifications']) => {
  const onClose = vi.fn();
  return { onClose, ...render(<Panel isOpen onClose={onClose} />, { notifications }) };
};

describe('the bell', () => {
  test.each([
    [0, 'Notifications', null],
    [3, 'Notifications, 3 unread', '3'],
    [120, 'Notifications, 120 unread', '99+'],
  ])('shows %d unread', async (unread, name, shown) => {
    showBell({ unread: async () => unread });
    expect(await screen.findByRole('button', { name })).toBeTruthy();
    if (shown) expect(screen.getByText(shown)).toBeTruthy();
    else expect(screen.queryByText('0')).toBeNull();
  });

  test('reads the list only when it is opened', async () => {
    const list = vi.fn(async () => pageOf(postEntry([failure('nora')])));
    const { user } = showBell({ unread: async () => 1, list });
    const bell = await screen.findByRole('button', { name: 'Notifications, 1 unread' });
    expect(list).not.toHaveBeenCalled();
    await user.click(bell);
    expect(await screen.findByRole('dialog', { name: 'Notifications' })).toBeTruthy();
    expect(await screen.findByText('A post failed')).toBeTruthy();
    expect(bell.getAttribute('aria-expanded')).toBe('true');
  });

  test('follows when all are marked as read', async () => {
    let isRead = false;
    const { user } = showBell({
      unread: async () => (isRead ? 0 : 1),
      list: async () => pageOf(postEntry([failure('nora')], { read: isRead })),
      async read() {
        isRead = true;
        return 0;
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
    await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
    await waitFor(() => expect(screen.queryByText('Unread:')).toBeNull());
    expect(screen.getByRole('button', { name: 'Mark all as read' })).toHaveProperty('disabled', true);
    await user.keyboard('{Escape}');
    expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy();
  });

  test.each([
    ['open', 1],
    ['down', 2],
  ] as const)('with live updates %s reads %d times in 30 s', async (state, reads) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const unread = vi.fn(async () => 1);
    showBell({ unread }, state);
    await screen.findByRole('button', { name: 'Notifications, 1 unread' });
    await vi.advanceTimersByTimeAsync(30_000);
    expect(unread).toHaveBeenCalledTimes(reads);
  });
});

describe('the list of notifications', () => {
  test('says that it is empty', async () => {
    showPanel({ list: async () => pageOf() });
    expect(await screen.findByText('Nothing needs your attention.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Mark all as read' })).toHaveProperty('disabled', true);
  });

  test('says that it could not be read, and tries again', async () => {
    const list = vi.fn(async () => pageOf(accountEntry('account_reconnect')));
    list.mockRejectedValueOnce(refusal('internal_error', 'Internal error.', 500));
    const { user } = showPanel({ list });
    expect((await screen.findByRole('alert')).textContent).toContain('Internal error.');
    expect(screen.queryByText('Nothing needs your attention.')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Mastodon (nora) needs to be reconnected')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('marks everything up to the newest as read', async () => {
    const read = vi.fn(async () => 0);
    const items = [postEntry([failure('nora')], { id: 'newest' }), accountEntry('access_ends', { id: 'older' })];
    const { user, onClose } = showPanel({ list: async () => pageOf(...items), unread: async () => 0, read });
    await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
    expect(read.mock.calls).toEqual([['newest', { all: true }]]);
    expect(onClose).not.toHaveBeenCalled();
  });

  test('says why nothing was marked as read', async () => {
    const { user } = showPanel({
      list: async () => pageOf(postEntry([failure('nora')])),
      read: () => Promise.reject(refusal('internal_error', 'Internal error.', 500)),
    });
    await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Internal error.');
    expect(screen.getByText('Unread:')).toBeTruthy();
  });

  test('marks an opened notification as read, and closes', async () => {
    const read = vi.fn(async () => 1);
    const items = [postEntry([failure('nora')], { id: 'first' }), accountEntry('access_ends', { id: 'second' })];
    const { user, onClose } = showPanel({ list: async () => pageOf(...items), unread: async () => 1, read });
    await user.click(await screen.findByRole('link', { name: /Access to Mastodon/ }));
    expect(read.mock.calls).toEqual([['second', { all: false }]]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('does not mark a read notification again', async () => {
    const read = vi.fn(async () => 0);
    const list = async () => pageOf(postEntry([failure('nora')], { read: true }));
    const { user, onClose } = showPanel({ list, read });
    await user.click(await screen.findByRole('link', { name: /A post failed/ }));
    expect(onClose).toHaveBeenCalledOnce();
    expect(read).not.toHaveBeenCalled();
  });

  test('shows older ones on demand', async () => {
    const list = vi.fn(async ({ cursor }: { cursor?: string } = {}) =>
      cursor === 'more'
        ? pageOf(accountEntry('account_reconnect', { id: 'older' }))
        : { data: [postEntry([failure('nora')])], next: 'more' },
    );
    const { user } = showPanel({ list });
    await user.click(await screen.findByRole('button', { name: 'Show older ones' }));
    expect(await screen.findByText('Mastodon (nora) needs to be reconnected')).toBeTruthy();
    expect(screen.getAllByRole('listitem')).toHaveLength(2);
    expect(screen.queryByRole('button', { name: 'Show older ones' })).toBeNull();
  });

  test('leads to the settings', async () => {
    const { user, onClose } = showPanel({ list: async () => pageOf() });
    const link = await screen.findByRole('link', { name: 'Settings' });
    expect(link.getAttribute('href')).toBe('/settings#notifications');
    await user.click(link);
    expect(onClose).toHaveBeenCalledOnce();
  });
});

describe('a notification', () => {
  const show = (item: Notification) => {
    render(
      <ul>
        <Item item={item} onOpen={() => {}} />
      </ul>,
    );
    return screen.getByRole('link');
  };
  const moment = '2026-03-04T12:00:00Z';

  test.each([
    ['of a failed post', postEntry([failure('nora')]), 'A post failed', `/posts/${POST_ID}`],
    [
      'of a post that failed on some accounts',
      postEntry([failure('nora')], { accounts: 3 }),
      'A post failed on 1 of 3 accounts',
      `/posts/${POST_ID}`,
    ],
    [
      'of a post whose outcome is unknown',
      postEntry([failure('nora', 'outcome_unknown')], { accounts: 2 }),
      'The outcome of a post is unknown on 1 of 2 accounts',
      `/posts/${POST_ID}`,
    ],
    [
      'of a failed post with an unknown outcome elsewhere',
      postEntry([failure('nora', 'outcome_unknown'), failure('olaf')]),
      'A post failed on 2 of 2 accounts',
      `/posts/${POST_ID}`,
    ],
    ['of a retried post', postEntry([], { accounts: 2 }), 'A post failed and was retried', `/posts/${POST_ID}`],
    [
      'of a post in trouble',
      troubleEntry([failure('nora', 'platform_unavailable')]),
      'A post is being retried on 1 of 4 accounts',
      `/posts/${POST_ID}`,
    ],
    ['of a post that recovered', troubleEntry([], { resolved: true }), 'A post was retried', `/posts/${POST_ID}`],
    ['of an ended access', accountEntry('account_reconnect'), 'Mastodon (nora) needs to be reconnected', '/accounts'],
    [
      'of an access that ends',
      accountEntry('access_ends', { moment }),
      /^Access to Mastodon \(nora\) expires on Mar 4, 2026/,
      '/accounts',
    ],
    [
      'of an unread source',
      accountEntry('source_unread', { moment }),
      /^New posts on Mastodon \(nora\) have not been read since Mar 4, 2026/,
      '/reposts',
    ],
  ])('%s has a title and a link', (_, item, title, href) => {
    const link = show({ ...item, read: true });
    expect(within(link).getByText(title)).toBeTruthy();
    expect(link.getAttribute('href')).toBe(href);
  });

  test('names the accounts with their reasons', () => {
    const link = show(postEntry([failure('nora'), failure('olaf', 'reconnect_required')]));
    expect(within(link).getByText('TikTok (nora): The video was rejected')).toBeTruthy();
    expect(within(link).getByText('TikTok (olaf): The account must be reconnected')).toBeTruthy();
    expect(within(link).getByText('A walk')).toBeTruthy();
  });

  test('names the accounts that are retried', () => {
    const link = show(troubleEntry([failure('nora', 'platform_limit_reached'), failure('olaf', 'platform_error')]));
    expect(within(link).getByText('TikTok (nora): The platform asks to wait')).toBeTruthy();
    expect(within(link).getByText('TikTok (olaf): The platform cannot be used at the moment')).toBeTruthy();
    expect(within(link).queryByText(/noah/)).toBeNull();
  });

  test('counts the accounts beyond three', () => {
    const link = show(postEntry(['a', 'b', 'c', 'd', 'e'].map((name) => failure(name))));
    expect(within(link).getAllByText(/The video was rejected/)).toHaveLength(3);
    expect(within(link).getByText('and 2 more')).toBeTruthy();
  });

  test('says whether it is unread, and whether it is resolved', () => {
    const link = show(postEntry([], { accounts: 1, resolved: true }));
    expect(within(link).getByText('Unread:')).toBeTruthy();
    expect(within(link).getByText('Resolved')).toBeTruthy();
  });

  test('hides its actions when read and open', () => {
    const link = show(postEntry([failure('nora')], { read: true }));
    expect(within(link).queryByText('Unread:')).toBeNull();
    expect(within(link).queryByText('Resolved')).toBeNull();
  });
});
