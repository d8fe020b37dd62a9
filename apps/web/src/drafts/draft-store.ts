/**
 * A user's draft in this browser, shared by its tabs. A change names fields and is applied to what is stored at that moment,
 * so that tabs do not undo each other's changes. Of two changes of one field, the later one stays.
 */
import { type Draft, parseDraft } from './draft.ts';

export interface DraftStore {
  /** Returns the same object until the draft changes. */
  get(): Draft;
  change(change: Partial<Draft> | ((before: Draft) => Partial<Draft>)): void;
  /** @returns unsubscribes */
  subscribe(listener: () => void): () => void;
}

interface DraftStoreDeps {
  userId: string;
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  /** Dispatches `storage` events when another tab has changed the storage. */
  window: Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;
  /** Creates a key for a new post. */
  newKey(): string;
}

/** A random UUID. The browser's own function needs https. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  // Version 4, variant 1.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export function createDraftStore({ userId, storage, window, newKey }: DraftStoreDeps): DraftStore {
  const place = `reelay-draft-${userId}`;
  const listeners = new Set<() => void>();
  let text = storage.getItem(place);
  let draft = parseDraft(text, newKey());
  /** Another tab may have stored a draft, whose event has not arrived yet. */
  const refresh = () => {
    const stored = storage.getItem(place);
    if (stored === text) return;
    text = stored;
    draft = parseDraft(text, newKey());
  };
  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  const onStorage = () => {
    const before = draft;
    refresh();
    if (draft !== before) notify();
  };
  const change: DraftStore['change'] = (fields) => {
    refresh();
    draft = { ...draft, ...(typeof fields === 'function' ? fields(draft) : fields) };
    const next = JSON.stringify(draft);
    try {
      storage.setItem(place, next);
      text = next;
    } catch {
      // If the storage is full or forbidden, only a reload loses the change.
    }
    notify();
  };
  return {
    get: () => draft,
    change,
    subscribe(listener) {
      if (listeners.size === 0) window.addEventListener('storage', onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) window.removeEventListener('storage', onStorage);
      };
    },
  };
}
