/** Reconnecting an account on which a post failed, here or on the platform's pages. */
import type { ConnectAttempt, ConnectablePlatform, Platform, Post } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { AttemptNotice } from '../../src/pages/accounts/attempt-notice.tsx';
import { Failures } from '../../src/pages/posts/failures.tsx';
import { loadAttempt, storeAttempt } from '../../src/queries/attempt.ts';
import { listedAccount } from './accounts.ts';
import { refusal } from './fake-client.ts';
import { failed, postOf } from './posts.ts';
import { render } from './render.tsx';

afterEach(() => storeAttempt(null));

const catalog = [
  { platform: 'bluesky', name: 'Bluesky', ready: true, multiServer: false, identifier: false },
] as unknown as ConnectablePlatform[];

function showFailures(message: Parameters<typeof failed>[1], ...accounts: Platform[]) {
  const post: Post = postOf([failed('nora', message, { platform: 'bluesky' })]);
  const connect = vi.fn(async () => ({ attempt: 'a', url: null, accounts: [] }));
  const retry = vi.fn(async () => post);
  const rendered = render(<Failures post={post} />, {
    platforms: { list: async () => accounts, catalog: async () => catalog, connect },
    posts: { retry, get: async () => post },
  });
  return { ...rendered, connect, retry };
}

const button = () => screen.findByRole('button', { name: 'Reconnect Bluesky (nora)' });
const nora = (given: Partial<Platform> = {}) => listedAccount('nora', { platform: 'bluesky', ...given });

describe('an account without access', () => {
  test('is reconnected on the page of the post, and retried', async () => {
    const { user, connect, retry } = showFailures('reconnect_required', nora({ status: 'EXPIRED' }));
    await user.click(await button());
    const dialog = within(await screen.findByRole('dialog', { name: 'Reconnect Name of nora' }));
    expect(retry).not.toHaveBeenCalled();
    await user.click(dialog.getByRole('button', { name: 'Reconnect' }));
    await waitFor(() => expect(retry.mock.calls).toEqual([['p', { platforms: ['nora'] }]]));
    expect(connect.mock.calls).toMatchObject([[{ platform: 'bluesky', account: 'nora' }]]);
  });

  test('offers to reconnect before another attempt', async () => {
    showFailures('reconnect_required', nora({ status: 'EXPIRED' }));
    await button();
    const names = screen.getAllByRole('button').map((each) => each.getAttribute('aria-label') ?? each.textContent);
    expect(names).toEqual(['Reconnect Bluesky (nora)', 'Retry']);
  });

  test('is not reconnected twice', async () => {
    showFailures('reconnect_required', nora());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy());
    expect(screen.queryByRole('button', { name: /^Reconnect/ })).toBeNull();
  });

  test('is reconnected for a missing permission, too', async () => {
    showFailures('permission_missing', nora());
    expect(await button()).toBeTruthy();
  });
});

describe('the notice after a reconnection', () => {
  const attempt = {
    id: 'a',
    request: { platform: 'bluesky', account: 'nora' },
    retryPost: 'p',
  };
  const stored = { steps: [{ step: 'stored', ok: true, text: 'Done.', at: new Date().toISOString() }] };
  const post = postOf([]);
  const show = (retry: () => Promise<Post>) =>
    render(<AttemptNotice />, {
      platforms: { attempt: async () => stored as unknown as ConnectAttempt },
      posts: { retry, get: async () => post },
    });

  test('retries the post once, and leads to it', async () => {
    storeAttempt(attempt);
    const retry = vi.fn(async () => post);
    const first = show(retry);
    expect(await screen.findByText('The post is being published on it.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Show the post' }).getAttribute('href')).toBe('/posts/p');
    expect(loadAttempt()).toEqual({ id: 'a', request: attempt.request });
    first.unmount();
    show(retry);
    expect(await screen.findByText('Bluesky is connected')).toBeTruthy();
    expect(retry.mock.calls).toEqual([['p', { platforms: ['nora'] }]]);
  });

  test('says why the post was not retried', async () => {
    storeAttempt(attempt);
    show(() => Promise.reject(refusal('video_gone', 'The video was deleted.', 410)));
    expect((await screen.findByText('The video was deleted.')).textContent).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Show the post' })).toBeTruthy();
  });
});
