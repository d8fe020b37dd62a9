/** Failed accounts of a post: why, what helps, and another attempt. */
import type { Post } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { Failures } from '../../src/pages/posts/failures.tsx';
import { refusal } from './fake-client.ts';
import { failed, lineOf, postOf, resultOf, targetOf } from './posts.ts';
import { render } from './render.tsx';

const show = (post: Post, retry = vi.fn(async () => post)) => ({
  retry,
  ...render(<Failures post={post} />, { posts: { retry, get: async () => post } }),
});

/** The failures with this title. */
const group = (title: string) => within(screen.getByRole('alert', { name: title }));

describe('failed accounts', () => {
  test('are not mentioned without a failure', () => {
    show(postOf([resultOf('nora'), resultOf('emil', { status: 'PENDING' })]));
    expect(screen.queryByRole('region', { name: 'Failed accounts' })).toBeNull();
  });

  test('are grouped by cause, with advice', () => {
    show(
      postOf([
        failed('nora', 'video_rejected', { platform: 'tiktok' }),
        failed('emil', 'reconnect_required'),
        failed('ida', 'video_rejected'),
      ]),
    );
    const rejected = group('The video was rejected');
    expect(rejected.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'TikTok: nora',
      'Mastodon: ida',
    ]);
    expect(rejected.queryByRole('link', { name: 'Go to accounts' })).toBeNull();
    const access = group('The account must be reconnected');
    expect(access.getAllByRole('listitem')).toHaveLength(1);
    expect(access.getByText(/Reconnect the account, then retry/)).toBeTruthy();
    expect(access.getByRole('link', { name: 'Go to accounts' }).getAttribute('href')).toBe('/accounts');
  });

  test('of one cause are retried together', async () => {
    const { user, retry } = show(
      postOf([failed('nora', 'video_rejected'), failed('emil', 'platform_error'), failed('ida', 'video_rejected')]),
    );
    await user.click(group('The video was rejected').getByRole('button', { name: 'Retry these 2 accounts' }));
    expect(retry.mock.calls).toEqual([['p', { platforms: ['nora', 'ida'] }]]);
  });

  test('are all retried, but not those with an unknown outcome', async () => {
    const { user, retry } = show(
      postOf([failed('nora', 'outcome_unknown'), failed('emil', 'platform_error'), failed('ida', 'video_rejected')]),
    );
    await user.click(screen.getByRole('button', { name: 'Retry all 2 failed accounts' }));
    expect(retry).toHaveBeenCalledOnce();
    const [[, sent] = []] = retry.mock.calls as unknown as [string, { platforms: string[] }][];
    expect([...(sent?.platforms ?? [])].sort()).toEqual(['emil', 'ida']);
  });

  test('of a single cause have one retry button', () => {
    show(postOf([failed('nora', 'platform_error'), failed('emil', 'outcome_unknown')]));
    const names = screen.getAllByRole('button').map((each) => each.getAttribute('aria-label') ?? each.textContent);
    expect(names).toEqual(['Post again on Mastodon as emil', 'Retry']);
  });

  test('say why a retry was refused', async () => {
    const { user } = show(
      postOf([failed('nora', 'platform_error')]),
      vi.fn(() => Promise.reject(refusal('not_retryable', 'The account was disconnected.'))),
    );
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('The account was disconnected.')).toBeTruthy();
  });
});

describe('an unknown outcome', () => {
  const post = postOf([failed('nora', 'outcome_unknown', { platform: 'telegram' }), failed('emil', 'outcome_unknown')]);

  test('names when the request was sent', () => {
    const timeline = [
      lineOf('committing', { at: '2026-08-01T10:00:00.000Z' }),
      lineOf('committing', { at: '2026-08-02T11:00:00.000Z' }),
      lineOf('unknown', { at: '2026-08-03T12:00:00.000Z' }),
    ];
    show({ ...post, targets: [targetOf('nora', { timeline })] });
    expect(screen.getByText(/^Telegram: look for this video on nora, posted around Aug 2, 2026/)).toBeTruthy();
    expect(screen.getByText(/^Mastodon: look for this video on emil, posted around Aug 1, 2026/)).toBeTruthy();
  });

  test('is posted again for one account, after a confirmation', async () => {
    const { user, retry } = show(post);
    await user.click(screen.getByRole('button', { name: 'Post again on Telegram as nora' }));
    const dialog = await screen.findByRole('dialog', { name: 'Post again on Telegram as nora?' });
    expect(within(dialog).getByText(/appears twice/)).toBeTruthy();
    expect(retry).not.toHaveBeenCalled();
    await user.click(within(dialog).getByRole('button', { name: 'Post again' }));
    expect(retry.mock.calls).toEqual([['p', { platforms: ['nora'], acceptDuplicate: true }]]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('is not posted again if the user declines', async () => {
    const { user, retry } = show(post);
    await user.click(screen.getByRole('button', { name: 'Post again on Mastodon as emil' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Keep' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(retry).not.toHaveBeenCalled();
  });
});
