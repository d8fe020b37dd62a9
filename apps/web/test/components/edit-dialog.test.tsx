/** The dialog that changes a scheduled post. Only what was changed in it is sent. */
import type { Post } from '@reelay/sdk';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { EditDialog } from '../../src/pages/posts/edit-dialog.tsx';
import { refusal } from './fake-client.ts';
import { postOf, resultOf } from './posts.ts';
import { render } from './render.tsx';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + hours * HOUR_MS).toISOString();

const POST = postOf([resultOf('nora', { status: 'PENDING' })], {
  description: 'Tomorow',
  scheduled: true,
  date: inHours(48),
});

async function show(edit = vi.fn(async (_id: string, _change: object): Promise<Post> => POST)) {
  const onClose = vi.fn();
  const { user, rerender } = render(<EditDialog post={POST} onClose={onClose} />, { posts: { edit } });
  await screen.findByRole('dialog', { name: 'Edit' });
  /** The post is changed elsewhere. */
  const change = (given: Partial<Post>) => rerender(<EditDialog post={{ ...POST, ...given }} onClose={onClose} />);
  return { user, edit, onClose, change, words: screen.getByLabelText('Description') };
}

const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

describe('an edit', () => {
  test('of the text keeps a time that changes meanwhile', async () => {
    const { user, edit, onClose, change, words } = await show();
    change({ date: inHours(72) });
    type(words, 'Tomorrow');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(edit.mock.calls).toEqual([['p', { description: 'Tomorrow' }]]);
  });

  test('of the time keeps a text that changes meanwhile', async () => {
    const { user, edit, onClose, change } = await show();
    change({ description: 'Changed elsewhere' });
    const time = screen.getByLabelText<HTMLInputElement>('Time');
    type(time, `${time.value.slice(0, 2)}:45`);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(edit.mock.calls).toEqual([['p', { scheduled: Date.parse(POST.date) + 0.75 * HOUR_MS }]]);
  });

  test('can post at once', async () => {
    const { user, edit, onClose } = await show();
    await user.click(screen.getByRole('radio', { name: 'Now' }));
    await user.click(screen.getByRole('button', { name: 'Save and post now' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(edit.mock.calls).toEqual([['p', { scheduled: null }]]);
  });

  test('without a change sends nothing', async () => {
    const { user, edit, onClose, words } = await show();
    type(words, 'Tomorrow');
    type(words, 'Tomorow');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(edit).not.toHaveBeenCalled();
  });

  test('offers to discard only what was changed', async () => {
    const { words } = await show();
    expect(screen.queryByRole('button', { name: 'Discard changes' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Close' })).toBeTruthy();
    type(words, 'Tomorrow');
    expect(screen.getByRole('button', { name: 'Discard changes' })).toBeTruthy();
  });

  test('needs a complete time', async () => {
    await show();
    type(screen.getByLabelText('Time'), '');
    expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
  });

  test('can post at once after an incomplete time', async () => {
    const { user, edit, onClose } = await show();
    type(screen.getByLabelText('Time'), '');
    await user.click(screen.getByRole('radio', { name: 'Now' }));
    await user.click(screen.getByRole('button', { name: 'Save and post now' }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(edit.mock.calls).toEqual([['p', { scheduled: null }]]);
  });

  test('stays open with the reason when refused', async () => {
    const { user, onClose, words } = await show(
      vi.fn(() => Promise.reject(refusal('not_editable', 'The post has already started.', 409))),
    );
    type(words, 'Tomorrow');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('The post has already started.')).toBeTruthy();
    expect(words).toHaveProperty('value', 'Tomorrow');
    expect(onClose).not.toHaveBeenCalled();
  });
});
