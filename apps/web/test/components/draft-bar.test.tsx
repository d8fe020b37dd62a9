/** The state of the draft beside the title, and the list of drafts. */
import type { DraftSummary } from '@reelay/sdk';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Draft } from '../../src/drafts/draft.ts';
import { WorkspaceProvider } from '../../src/drafts/use-upload.tsx';
import { DraftBar } from '../../src/pages/compose/drafts/draft-bar.tsx';
import { type GivenCalls, refusal } from './fake-client.ts';
import { render } from './render.tsx';
import { workspaceWith } from './workspaces.ts';

const KEY = '019a0b1c-2d3e-4f40-8a5b-6c7d8e9f0a1b';
const OTHER = '019a0b1c-2d3e-4f40-8a5b-6c7d8e9f0a1c';

const stored = (id: string, given: Partial<DraftSummary> = {}) => ({
  ...{ id, version: 1, changedAt: new Date().toISOString(), description: 'Stored', platforms: [], options: {} },
  ...{ scheduled: null, previewTime: 0, fit: null, cropPosition: 0.5, trimStart: null, trimEnd: null, video: null },
  ...given,
});

let save: ReturnType<typeof vi.fn>;
beforeEach(() => {
  save = vi.fn(async (id: string, { version }: { version: number }) => stored(id, { version: version + 1 }));
});

afterEach(() => {
  vi.useRealTimers();
});

interface Given {
  draft?: Partial<Draft>;
  drafts?: GivenCalls['drafts'];
  isPosting?: boolean;
}

function show({ draft = {}, drafts = {}, isPosting = false }: Given = {}) {
  const workspace = workspaceWith({ draft: { key: KEY, ...draft } });
  const rendered = render(
    <WorkspaceProvider value={workspace}>
      <DraftBar isPosting={isPosting} />
    </WorkspaceProvider>,
    { drafts: { list: async () => [], save: save as never, ...drafts } },
  );
  return { ...rendered, store: workspace.drafts };
}

const openList = async (user: ReturnType<typeof show>['user']) => {
  await user.click(await screen.findByRole('button', { name: /^Drafts/ }));
  return screen.findByRole('dialog', { name: 'Drafts' });
};

describe('the draft', () => {
  test('without input has no state and no list', async () => {
    show();
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(''));
    expect(screen.queryByRole('button')).toBeNull();
    expect(save).not.toHaveBeenCalled();
  });

  test('is saved by itself', async () => {
    const { store } = show({ draft: { description: 'Mine' } });
    expect(await screen.findByText('Draft saved')).toBeTruthy();
    expect(save.mock.calls).toMatchObject([[KEY, { version: 0, description: 'Mine' }]]);
    store.change({ description: 'Mine too' });
    await waitFor(() => expect(screen.queryByText('Draft saved')).toBeNull());
    await waitFor(() => expect(save).toHaveBeenCalledTimes(2), { timeout: 4_000 });
    expect(save.mock.calls[1]).toMatchObject([KEY, { version: 1, description: 'Mine too' }]);
    expect(await screen.findByText('Draft saved')).toBeTruthy();
  });

  test('is not saved while it is posted', async () => {
    const { rerender, store } = show({ draft: { description: 'Mine' }, isPosting: true });
    await screen.findByRole('button', { name: 'Drafts' });
    expect(save).not.toHaveBeenCalled();
    rerender(<p>Another page</p>);
    await waitFor(() => expect(save).toHaveBeenCalledTimes(1));
    expect(store.get().description).toBe('Mine');
  });

  test('that is refused is not sent again until it changes', async () => {
    save.mockRejectedValue(refusal('too_many_drafts', 'There are 100.', 403));
    const { store } = show({ draft: { description: 'Mine' } });
    expect(await screen.findByText('Draft not saved: There are 100.')).toBeTruthy();
    expect(save).toHaveBeenCalledTimes(1);
    store.change({ description: 'Mine too' });
    await waitFor(() => expect(save).toHaveBeenCalledTimes(2), { timeout: 4_000 });
  });

  test('is saved again after the service was unavailable', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    save.mockRejectedValueOnce(refusal('unavailable', 'Unavailable', 503));
    show({ draft: { description: 'Mine' } });
    expect(await screen.findByText('Kept in this browser until the service responds')).toBeTruthy();
    await vi.advanceTimersByTimeAsync(14_000);
    expect(save).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await screen.findByText('Draft saved')).toBeTruthy();
    expect(save).toHaveBeenCalledTimes(2);
  });

  test('is emptied if another device has posted it', async () => {
    const text = JSON.stringify({
      ...{ description: 'Mine', platforms: [], options: {}, scheduled: null, previewTime: 0, fit: null },
      ...{ cropPosition: 0.5, trimStart: null, trimEnd: null, video: null },
    });
    const { store } = show({
      draft: { description: 'Mine', saved: { version: 1, text } },
      drafts: { get: () => Promise.reject(refusal('unknown_draft', 'Gone', 404)) },
    });
    expect(await screen.findByText('This draft was posted or deleted on another device.')).toBeTruthy();
    expect(store.get()).toMatchObject({ description: '', saved: null });
  });
});

describe('a conflict', () => {
  const saved = { version: 1, text: '' };
  const get = async (id: string) => stored(id, { version: 2, description: 'Theirs' }) as never;

  test('can be solved by the other version', async () => {
    save.mockRejectedValue(refusal('draft_changed', 'Changed', 409));
    const { user, store } = show({ draft: { description: 'Mine', saved }, drafts: { get } });
    expect(await screen.findByRole('alert', { name: 'This draft was changed on another device' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Open that version' }));
    await waitFor(() => expect(store.get()).toMatchObject({ key: KEY, description: 'Theirs', saved: { version: 2 } }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  test('can be solved by a draft of its own', async () => {
    save.mockRejectedValueOnce(refusal('unknown_draft', 'Gone', 404));
    const { user, store } = show({ draft: { description: 'Mine', saved }, drafts: { get } });
    expect(await screen.findByText('This draft was posted or deleted on another device')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Keep as a new draft' }));
    await waitFor(() => expect(save).toHaveBeenCalledTimes(2));
    expect(save.mock.calls[1]).toMatchObject([store.get().key, { version: 0, description: 'Mine' }]);
    expect(store.get().key).not.toBe(KEY);
  });

  test('keeps everything if the other version cannot be read', async () => {
    save.mockRejectedValue(refusal('draft_changed', 'Changed', 409));
    const drafts = { get: () => Promise.reject(refusal('internal_error', 'It failed.', 500)) };
    const { user, store } = show({ draft: { description: 'Mine', saved }, drafts });
    await user.click(await screen.findByRole('button', { name: 'Open that version' }));
    expect(await screen.findByText('It failed.')).toBeTruthy();
    expect(store.get().description).toBe('Mine');
  });
});

describe('the list', () => {
  const list = async () => [
    stored(OTHER, { description: 'First light\nmore', platforms: ['a', 'b'] }),
    stored(KEY, { description: '' }),
  ];

  test('shows what the drafts are about', async () => {
    const { user } = show({ drafts: { list } });
    const dialog = await openList(user);
    const items = within(dialog).getAllByRole('listitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^First light.* · 2 accounts · No video$/),
      'No descriptionOpen now · No accounts · No video',
    ]);
  });

  test('opens a draft after saving the present one', async () => {
    const get = async (id: string) => stored(id, { description: 'First light' }) as never;
    const { user, store } = show({ draft: { description: 'Mine' }, drafts: { list, get } });
    const dialog = await openList(user);
    await user.click(within(dialog).getByRole('button', { name: /^First light/ }));
    await waitFor(() => expect(store.get()).toMatchObject({ key: OTHER, description: 'First light' }));
    expect(save.mock.calls[0]).toMatchObject([KEY, { description: 'Mine' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('asks for a video that is no longer stored', async () => {
    const video = { uploadId: null, name: 'sunrise.mp4', bytes: 9, lastModified: null };
    const get = async (id: string) => stored(id, { video }) as never;
    const { user } = show({ drafts: { list, get } });
    const dialog = await openList(user);
    await user.click(within(dialog).getByRole('button', { name: /^First light/ }));
    expect(await screen.findByText('The video sunrise.mp4 is no longer stored. Choose it again.')).toBeTruthy();
  });

  test('keeps the present draft if it cannot be saved', async () => {
    save.mockRejectedValue(refusal('too_many_drafts', 'There are 100.', 403));
    const { user, store } = show({ draft: { description: 'Mine' }, drafts: { list } });
    const dialog = await openList(user);
    await user.click(within(dialog).getByRole('button', { name: /^First light/ }));
    expect(await within(dialog).findByText('There are 100.')).toBeTruthy();
    expect(store.get()).toMatchObject({ key: KEY, description: 'Mine' });
  });

  test('begins a new draft for the same accounts', async () => {
    const { user, store } = show({ draft: { description: 'Mine', accounts: ['a'] }, drafts: { list } });
    const dialog = await openList(user);
    await user.click(within(dialog).getByRole('button', { name: 'New draft' }));
    await waitFor(() => expect(store.get()).toMatchObject({ description: '', accounts: ['a'], saved: null }));
    expect(save.mock.calls[0]).toMatchObject([KEY, { description: 'Mine' }]);
  });

  test('deletes a draft after a confirmation', async () => {
    const remove = vi.fn(async () => undefined);
    const { user, store } = show({ draft: { description: 'Mine' }, drafts: { list, delete: remove } });
    const dialog = await openList(user);
    await user.click(within(dialog).getByRole('button', { name: 'Delete draft: First light' }));
    const question = await screen.findByRole('dialog', { name: 'Delete this draft?' });
    expect(remove).not.toHaveBeenCalled();
    await user.click(within(question).getByRole('button', { name: 'Delete draft' }));
    await waitFor(() => expect(remove.mock.calls).toEqual([[OTHER]]));
    expect(store.get().description).toBe('Mine');
  });

  test('opens no other draft while a video is uploading', async () => {
    const pending = { id: 'u', name: 'clip.mp4', bytes: 9, lastModified: 1, sent: 3, owner: 'tab' };
    const { user } = show({ draft: { pending }, drafts: { list } });
    const dialog = await openList(user);
    expect(within(dialog).getByText(/^A video is still uploading/)).toBeTruthy();
    for (const name of ['New draft', /^First light/])
      expect(within(dialog).getByRole('button', { name })).toHaveProperty('disabled', true);
  });
});
