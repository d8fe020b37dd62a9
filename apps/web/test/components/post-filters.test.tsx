/** The filter of the history. Its state is in the address, which follows with a delay. */
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PostFilters } from '../../src/pages/posts/post-filters.tsx';
import type { PostSearch } from '../../src/queries/post-search.ts';
import { listedAccount } from './accounts.ts';
import { render } from './render.tsx';

afterEach(() => {
  vi.useRealTimers();
});

const ACCOUNT = listedAccount('one', { platform: 'tiktok', username: 'nora', displayName: 'Nora' });

async function show(search: PostSearch = {}) {
  const onChange = vi.fn<(search: PostSearch) => void>();
  const onReset = vi.fn();
  const element = (shown: PostSearch) => (
    <Suspense>
      <PostFilters search={shown} onChange={onChange} onReset={onReset} />
    </Suspense>
  );
  const { user, rerender } = render(element(search), { platforms: { list: async () => [ACCOUNT] } });
  const words = await screen.findByRole('searchbox', { name: 'Description contains' });
  // Loaded after the field.
  await screen.findByRole('combobox', { name: 'Status' });
  /** The address has changed. */
  const change = (next: PostSearch) => rerender(element(next));
  return { user, onChange, onReset, change, words };
}

describe('words', () => {
  test('are searched once when the typing pauses', async () => {
    const { onChange, words } = await show({ status: 'FAILED' });
    vi.useFakeTimers();
    for (const value of ['s', 'sa', 'sai', 'sail']) {
      fireEvent.change(words, { target: { value } });
      act(() => vi.advanceTimersByTime(300));
    }
    expect(onChange).not.toHaveBeenCalled();
    act(() => vi.advanceTimersByTime(100));
    expect(onChange.mock.calls).toEqual([[{ status: 'FAILED', text: 'sail' }]]);
  });

  test('typed while the address changes are kept', async () => {
    const { onChange, change, words } = await show();
    fireEvent.change(words, { target: { value: 'sa' } });
    await waitFor(() => expect(onChange).toHaveBeenCalledWith({ text: 'sa' }));
    fireEvent.change(words, { target: { value: 'sail' } });
    change({ text: 'sa' });
    expect(words).toHaveProperty('value', 'sail');
    await waitFor(() => expect(onChange).toHaveBeenLastCalledWith({ text: 'sail' }));
  });

  test('follow the address', async () => {
    const { change, words } = await show({ text: 'sail' });
    expect(words).toHaveProperty('value', 'sail');
    change({ text: 'zebra' });
    await waitFor(() => expect(words).toHaveProperty('value', 'zebra'));
  });
});

describe('a choice', () => {
  test('keeps the other filters', async () => {
    const { user, onChange } = await show({ text: 'sail', from: '2026-03-10' });
    await user.click(screen.getByRole('combobox', { name: 'Status' }));
    await user.click(await screen.findByRole('option', { name: 'Failed', hidden: true }));
    expect(onChange.mock.calls).toEqual([[{ text: 'sail', from: '2026-03-10', status: 'FAILED' }]]);
  });

  test('names accounts by platform', async () => {
    const { user, onChange } = await show();
    await user.click(screen.getByRole('combobox', { name: 'Account' }));
    await user.click(await screen.findByRole('option', { name: 'TikTok: Nora', hidden: true }));
    expect(onChange.mock.calls).toEqual([[{ account: 'one' }]]);
  });

  test('names an account that no longer exists', async () => {
    await show({ account: 'gone' });
    expect(screen.getByRole('combobox', { name: 'Account' })).toHaveProperty('value', 'Disconnected account');
  });
});

describe('a day', () => {
  test('is chosen in a calendar', async () => {
    const { user, onChange } = await show({ from: '2026-03-12' });
    await user.click(screen.getByRole('button', { name: 'From Mar 12, 2026' }));
    await user.click(await screen.findByRole('button', { name: '10 March 2026', hidden: true }));
    expect(onChange.mock.calls).toEqual([[{ from: '2026-03-10' }]]);
    await waitFor(() => expect(screen.queryByRole('button', { name: '10 March 2026', hidden: true })).toBeNull());
  });

  test('can be in another month', async () => {
    const { user, onChange } = await show({ from: '2026-03-12' });
    await user.click(screen.getByRole('button', { name: 'From Mar 12, 2026' }));
    await user.click(await screen.findByRole('button', { name: 'Previous month', hidden: true }));
    await user.click(await screen.findByRole('button', { name: '10 February 2026', hidden: true }));
    expect(onChange.mock.calls).toEqual([[{ from: '2026-02-10' }]]);
  });

  test('is left out when it is cleared', async () => {
    const { user, onChange } = await show({ from: '2026-03-10', to: '2026-03-12' });
    await user.click(screen.getByRole('button', { name: 'Clear “To”' }));
    expect(onChange.mock.calls).toEqual([[{ from: '2026-03-10' }]]);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'To Mar 12, 2026' }));
  });

  test('that is not chosen has no button to clear it', async () => {
    await show();
    expect(screen.getByRole('button', { name: 'From Any day' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Clear/ })).toBeNull();
  });
});

describe('the reset', () => {
  test('is offered only with a filter', async () => {
    const { change } = await show();
    expect(screen.queryByRole('button', { name: 'Reset filters' })).toBeNull();
    change({ status: 'FAILED' });
    expect(screen.getByRole('button', { name: 'Reset filters' })).toBeTruthy();
  });

  test('does not discard the input itself', async () => {
    const { user, onReset, onChange } = await show({ status: 'FAILED' });
    await user.click(screen.getByRole('button', { name: 'Reset filters' }));
    expect(onReset).toHaveBeenCalledOnce();
    expect(onChange).not.toHaveBeenCalled();
  });
});
