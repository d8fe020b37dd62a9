/** Accounts of a post that are retried: why, and another attempt now. */
import type { Post } from '@reelay/sdk';
import { screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { Troubles } from '../../src/pages/posts/troubles.tsx';
import { refusal } from './fake-client.ts';
import { failed, postOf, resultOf } from './posts.ts';
import { render } from './render.tsx';

const show = (post: Post, tryNow = vi.fn(async () => post)) => ({
  tryNow,
  ...render(<Troubles post={post} />, { posts: { tryNow, get: async () => post } }),
});

const troubled = (id: string, code: string, platform = 'mastodon') =>
  resultOf(id, {
    ...{ platform, status: 'PENDING' },
    trouble: { code, text: 'It was busy.', since: '2026-08-01T09:30:00.000Z', attempts: 2 },
  });

/** The accounts with this cause. */
const group = (title: string) => within(screen.getByRole('alert', { name: title }));

describe('accounts that are retried', () => {
  test('are not mentioned while all goes well', () => {
    show(postOf([resultOf('nora'), resultOf('emil', { status: 'PENDING' }), failed('ida', 'platform_error')]));
    expect(screen.queryByRole('region')).toBeNull();
  });

  test('are grouped by cause, unknown ones with the platform', () => {
    show(
      postOf([
        troubled('nora', 'platform_unavailable', 'tiktok'),
        troubled('emil', 'outcome_unknown'),
        troubled('ida', 'a_new_code'),
      ]),
    );
    const down = group('The platform cannot be used at the moment');
    expect(down.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'TikTok: nora',
      'Mastodon: ida',
    ]);
    const unknown = group('Reelay is verifying whether this was posted');
    expect(unknown.getByText(/as a copy could make it appear twice/)).toBeTruthy();
  });

  test('of one cause are tried now, together', async () => {
    const { user, tryNow } = show(
      postOf([
        troubled('nora', 'platform_unavailable'),
        troubled('emil', 'platform_limit_reached'),
        troubled('ida', 'platform_unavailable'),
      ]),
    );
    const down = group('The platform cannot be used at the moment');
    await user.click(down.getByRole('button', { name: 'Try these 2 accounts now' }));
    expect(tryNow.mock.calls).toEqual([['p', { platforms: ['nora', 'ida'] }]]);
    expect(await down.findByRole('status')).toBeTruthy();
  });

  test('are stopped after a confirmation', async () => {
    const post = postOf([troubled('nora', 'internal_error')]);
    const stop = vi.fn(async () => post);
    const { user } = render(<Troubles post={post} />, { posts: { stop, get: async () => post } });
    await user.click(screen.getByRole('button', { name: 'Stop trying' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Stop trying?' }));
    expect(stop).not.toHaveBeenCalled();
    await user.click(dialog.getByRole('button', { name: 'Stop trying' }));
    expect(stop.mock.calls).toEqual([['p', { platforms: ['nora'] }]]);
  });

  test('say why a try was refused', async () => {
    const { user } = show(
      postOf([troubled('nora', 'internal_error')]),
      vi.fn(() => Promise.reject(refusal('nothing_to_try', 'No account of this post waits.'))),
    );
    await user.click(screen.getByRole('button', { name: 'Try now' }));
    expect(await screen.findByText('No account of this post waits.')).toBeTruthy();
  });
});
