/** Drafts of this browser and of the service. The service is a fake that keeps versions as the real one does. */
import type { SaveDraft, Draft as StoredDraft } from '@reelay/sdk';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Draft, emptyDraft, FITS } from '../src/drafts/draft.ts';
import { createDraftStore, type DraftStore, newKey } from '../src/drafts/draft-store.ts';
import { deleteDraft, followService, keepDraft, openDraft, saveDraft } from '../src/drafts/save-draft.ts';
import { fieldsOf, hasChanges } from '../src/drafts/stored-draft.ts';
import { fakeClient, refusal } from './components/fake-client.ts';

let stored: Map<string, StoredDraft>;
/** Requests that wrote. */
let written: string[];
let phone: DraftStore;
let desktop: DraftStore;
beforeEach(() => {
  stored = new Map();
  written = [];
  [phone, desktop] = [openStore(), openStore()];
});

function openStore(): DraftStore {
  let text: string | null = null;
  const storage = {
    getItem: () => text,
    setItem(_: string, value: string) {
      text = value;
    },
  };
  return createDraftStore({ userId: 'u', storage, window: new EventTarget(), newKey });
}

const found = (id: string) => {
  const draft = stored.get(id);
  if (!draft) throw refusal('unknown_draft');
  return draft;
};

const client = fakeClient({
  drafts: {
    get: async (id) => found(id),
    async save(id, { version, video, ...content }: SaveDraft) {
      written.push(`save ${version}`);
      const before = stored.get(id)?.version ?? 0;
      if (before !== version) throw refusal(before === 0 ? 'unknown_draft' : 'draft_changed');
      const kept = video && { ...video, bytes: 9 };
      const whole = { cropPosition: 0.5, trimStart: null, trimEnd: null, ...content };
      const draft = { ...whole, video: kept, id, version: version + 1, changedAt: '2026-01-01T00:00:00.000Z' };
      stored.set(id, draft);
      return draft;
    },
    async delete(id) {
      written.push('delete');
      found(id);
      stored.delete(id);
    },
  },
});

const save = (store: DraftStore) => saveDraft(client, store);
const follow = (store: DraftStore) => followService(client, store);
/** Writes a draft on the desktop, saves it, and opens it on the phone. */
async function onBoth(): Promise<string> {
  desktop.change({ description: 'One' });
  await save(desktop);
  const { key } = desktop.get();
  await openDraft(client, phone, key);
  return key;
}

test('keys are UUIDs of version 4', () => {
  const keys = Array.from({ length: 50 }, newKey);
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(keys).size).toBe(50);
});

test('a draft that was read has no changes', () => {
  const draft = fc.record<StoredDraft>({
    id: fc.uuid(),
    version: fc.nat(),
    changedAt: fc.constant('2026-01-01T00:00:00.000Z'),
    description: fc.string(),
    platforms: fc.array(fc.uuid()),
    options: fc.dictionary(fc.uuid(), fc.constant({ caption: null, values: { title: 'T' } })),
    scheduled: fc.oneof(fc.nat(), fc.constantFrom('incomplete' as const, null)),
    previewTime: fc.nat(90),
    fit: fc.constantFrom(...FITS, null),
    cropPosition: fc.constantFrom(0, 0.5),
    trimStart: fc.option(fc.nat(600)),
    trimEnd: fc.option(fc.nat(600)),
    video: fc.option(
      fc.record({
        uploadId: fc.option(fc.uuid()),
        name: fc.string(),
        bytes: fc.nat(),
        lastModified: fc.option(fc.nat()),
      }),
    ),
  });
  fc.assert(
    fc.property(draft, (each) => {
      const { upload, key, at, ...read } = fieldsOf(each);
      expect(hasChanges({ upload, key, at, ...read })).toBe(false);
      expect({ key, at, description: read.description }).toEqual({
        ...{ key: each.id, at: each.scheduled, description: each.description },
      });
      expect(upload?.id ?? null).toBe(each.video?.uploadId ?? null);
    }),
  );
});

describe('saving', () => {
  test('adds a draft once, then its next versions', async () => {
    await save(desktop);
    desktop.change({ description: 'One' });
    await save(desktop);
    await save(desktop);
    desktop.change({ description: 'Two', at: 'incomplete' });
    await save(desktop);
    expect(written).toEqual(['save 0', 'save 1']);
    expect(stored.get(desktop.get().key)).toMatchObject({ version: 2, description: 'Two', scheduled: 'incomplete' });
  });

  test('keeps what was typed in the meantime as a change', async () => {
    desktop.change({ description: 'One' });
    const saving = save(desktop);
    desktop.change({ description: 'One two' });
    await saving;
    expect(hasChanges(desktop.get())).toBe(true);
    await save(desktop);
    expect(written).toEqual(['save 0', 'save 1']);
  });

  test('deletes a draft whose input was removed', async () => {
    desktop.change({ description: 'One' });
    await save(desktop);
    desktop.change({ description: ' ' });
    await save(desktop);
    expect([stored.size, desktop.get().saved]).toEqual([0, null]);
    await save(desktop);
    desktop.change({ description: 'Two' });
    await save(desktop);
    expect(written).toEqual(['save 0', 'delete', 'save 0']);
  });

  test('leaves alone a draft that was replaced in the meantime', async () => {
    desktop.change({ description: 'One' });
    const saving = save(desktop);
    desktop.change({ ...emptyDraft(newKey()), description: 'Other' });
    await saving;
    expect(desktop.get()).toMatchObject({ description: 'Other', saved: null });
  });

  test('refuses to replace what another device has saved', async () => {
    const key = await onBoth();
    phone.change({ description: 'Phone' });
    await save(phone);
    desktop.change({ description: 'Desktop' });
    await expect(save(desktop)).rejects.toMatchObject({ code: 'draft_changed' });
    expect([stored.get(key)?.description, desktop.get().description]).toEqual(['Phone', 'Desktop']);
  });

  test('refuses to add a draft that was posted or deleted', async () => {
    const key = await onBoth();
    await deleteDraft(client, phone, key);
    desktop.change({ description: 'Desktop' });
    await expect(save(desktop)).rejects.toMatchObject({ code: 'unknown_draft' });
    expect(desktop.get().description).toBe('Desktop');
  });
});

describe('keeping', () => {
  test('gives a draft of an earlier version an id', async () => {
    desktop.change({ description: 'One', key: '1-2-3-4' });
    await save(desktop);
    expect([written, desktop.get().key]).toEqual([[], '1-2-3-4']);
    await keepDraft(client, desktop);
    expect([...stored.values()]).toMatchObject([{ id: desktop.get().key, description: 'One' }]);
  });

  test.each(['changed', 'deleted'])('makes a new draft if the other was %s', async (how) => {
    const key = await onBoth();
    if (how === 'deleted') stored.delete(key);
    else {
      phone.change({ description: 'Phone' });
      await save(phone);
    }
    desktop.change({ description: 'Desktop' });
    await keepDraft(client, desktop);
    expect(desktop.get().key).not.toBe(key);
    expect(stored.get(desktop.get().key)).toMatchObject({ version: 1, description: 'Desktop' });
    expect(stored.get(key)?.description).toBe(how === 'changed' ? 'Phone' : undefined);
  });

  test('fails if the draft cannot be saved', async () => {
    desktop.change({ description: 'One' });
    const full = fakeClient({ drafts: { save: () => Promise.reject(refusal('too_many_drafts')) } });
    await expect(keepDraft(full, desktop)).rejects.toMatchObject({ code: 'too_many_drafts' });
    expect(desktop.get().description).toBe('One');
  });
});

describe('following', () => {
  test('shows the version of another device', async () => {
    await onBoth();
    phone.change({ description: 'Phone', accounts: ['a'] });
    await save(phone);
    expect(await follow(desktop)).toBe(false);
    expect(desktop.get()).toMatchObject({ description: 'Phone', accounts: ['a'], saved: { version: 2 } });
  });

  test('begins a draft for the same accounts afterwards', async () => {
    const key = await onBoth();
    desktop.change({ accounts: ['a'] });
    await save(desktop);
    stored.delete(key);
    expect(await follow(desktop)).toBe(true);
    expect(desktop.get()).toMatchObject({ description: '', accounts: ['a'], saved: null });
    expect(desktop.get().key).not.toBe(key);
  });

  test.each<[string, Partial<Draft>]>([
    ['changes', { description: 'Mine' }],
    ['an upload', { pending: { id: 'u', name: 'n', bytes: 9, lastModified: 1, sent: 0, owner: 't' } }],
  ])('keeps a draft with %s', async (_, fields) => {
    const key = await onBoth();
    stored.delete(key);
    desktop.change(fields);
    expect(await follow(desktop)).toBe(false);
    expect(desktop.get()).toMatchObject({ key, ...fields });
  });

  test('keeps what was typed while the draft was read', async () => {
    const key = await onBoth();
    stored.delete(key);
    const following = follow(desktop);
    desktop.change({ description: 'Mine' });
    expect(await following).toBe(false);
    expect(desktop.get().description).toBe('Mine');
  });

  test('reads nothing for a draft that was never saved', async () => {
    desktop.change({ description: 'Mine' });
    expect(await follow(desktop)).toBe(false);
    expect(desktop.get().description).toBe('Mine');
  });
});

test('an opened draft tells which video is gone', async () => {
  const key = await onBoth();
  const video = { name: 'clip.mp4', bytes: 9, lastModified: null };
  stored.set(key, { ...found(key), video: { ...video, uploadId: 'u' } });
  expect(await openDraft(client, phone, key)).toBeNull();
  expect(phone.get().upload).toEqual({ ...video, id: 'u' });
  stored.set(key, { ...found(key), video: { ...video, uploadId: null } });
  expect(await openDraft(client, phone, key)).toBe('clip.mp4');
  expect(phone.get().upload).toBeNull();
});

test('deleting a draft empties it where it is open', async () => {
  const key = await onBoth();
  await deleteDraft(client, desktop, key);
  await deleteDraft(client, desktop, key);
  expect(desktop.get().description).toBe('');
  expect(phone.get().description).toBe('One');
});
