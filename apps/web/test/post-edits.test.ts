import { expect, test, vi } from 'vitest';
import { emptyDraft } from '../src/drafts/draft.ts';
import { closeEdit, openEdit } from '../src/drafts/post-edits.ts';
import { endUploads } from '../src/drafts/workspace.ts';
import { workspaceWith } from './components/workspaces.ts';

const opened = emptyDraft('k');
const read = async () => opened;
const file = new File(['x'.repeat(100)], 'a.mp4', { lastModified: 1 });

/** A change of the post p with an upload that is finished. */
async function withUpload() {
  const remove = vi.fn(async () => {});
  const workspace = workspaceWith({ uploads: { send: async () => 'upload', remove } });
  const edit = await openEdit(workspace, 'p', read);
  edit.manager.choose(file);
  edit.manager.start();
  await vi.waitFor(() => expect(edit.drafts.get().upload?.id).toBe('upload'));
  return { workspace, edit, remove };
}

test('a change continues until it is closed', async () => {
  const workspace = workspaceWith();
  const opening = openEdit(workspace, 'p', read);
  expect(openEdit(workspace, 'p', read)).toBe(opening);
  (await opening).drafts.change({ description: 'Typed' });
  expect(workspace.edits.has('p')).toBe(true);
  await closeEdit(workspace, 'p', true);
  expect(workspace.edits.has('p')).toBe(false);
  expect((await openEdit(workspace, 'p', read)).drafts.get().description).toBe('');
});

test('changes of posts do not affect each other', async () => {
  const workspace = workspaceWith();
  const [one, other] = [await openEdit(workspace, 'p', read), await openEdit(workspace, 'q', read)];
  one.drafts.change({ description: 'One' });
  expect([workspace.drafts.get().description, other.drafts.get().description, one.opened.description]).toEqual([
    '',
    '',
    '',
  ]);
});

test('a post that cannot be read can be opened again', async () => {
  const workspace = workspaceWith();
  await expect(openEdit(workspace, 'p', () => Promise.reject(new Error('Offline')))).rejects.toThrow('Offline');
  expect(workspace.edits.has('p')).toBe(false);
  expect((await openEdit(workspace, 'p', read)).opened).toEqual(opened);
});

test.each([
  ['a discarded change', false, [['upload']]],
  ['a saved change', true, []],
])('%s leaves the right videos on the service', async (_, isSaved, removed) => {
  const { workspace, edit, remove } = await withUpload();
  await closeEdit(workspace, 'p', isSaved);
  expect(remove.mock.calls).toEqual(removed);
  expect(edit.manager.get()).toBeNull();
});

test('the end of the work ends uploads and keeps videos', async () => {
  const { workspace, edit, remove } = await withUpload();
  endUploads(workspace);
  await vi.waitFor(() => expect(edit.manager.get()).toBeNull());
  expect(remove).not.toHaveBeenCalled();
});
