/**
 * What was typed and chosen for a post. It is kept in the browser, so that it survives a reload and the end of a session.
 * Pure, apart from the two functions at the end.
 */

export interface Draft {
  description: string;
  /** Ids of the chosen accounts. */
  accounts: string[];
  /** "": now; otherwise a local date and time, as in `datetime-local` fields. */
  at: string;
  /** Position of the cover in seconds. */
  previewTime: number;
  /** A finished upload that is not posted yet. */
  upload: { id: string; name: string; bytes: number } | null;
  /** Identifies the post, so that it is made once however often it is sent. */
  key: string;
}

export function emptyDraft(key: string): Draft {
  return { description: '', accounts: [], at: '', previewTime: 0, upload: null, key };
}

/** Reads a stored draft. What is missing or of a wrong type is empty. */
export function parseDraft(text: string | null, key: string): Draft {
  const empty = emptyDraft(key);
  let stored: Partial<Record<keyof Draft, unknown>>;
  try {
    stored = Object(JSON.parse(text ?? '{}'));
  } catch {
    return empty;
  }
  const { description, accounts, at, previewTime, upload, key: storedKey } = stored;
  return {
    description: typeof description === 'string' ? description : '',
    accounts: Array.isArray(accounts) ? accounts.filter((id) => typeof id === 'string') : [],
    at: typeof at === 'string' ? at : '',
    previewTime: typeof previewTime === 'number' && previewTime >= 0 ? previewTime : 0,
    upload: isUpload(upload) ? upload : null,
    key: typeof storedKey === 'string' && storedKey !== '' ? storedKey : key,
  };
}

function isUpload(value: unknown): value is NonNullable<Draft['upload']> {
  const { id, name, bytes } = Object(value) as Record<string, unknown>;
  return typeof id === 'string' && typeof name === 'string' && typeof bytes === 'number';
}

export type DraftProblem = 'noVideo' | 'noAccount' | 'inPast' | 'tooFar';

const MAX_AHEAD_MS = 366 * 24 * 60 * 60_000;

/** What keeps the draft from being posted; null if nothing does. @param now in ms since the epoch */
export function problemOf(draft: Draft, now: number): DraftProblem | null {
  if (!draft.upload) return 'noVideo';
  if (draft.accounts.length === 0) return 'noAccount';
  const at = scheduledAt(draft);
  if (at === null) return null;
  if (at < now) return 'inPast';
  return at - now > MAX_AHEAD_MS ? 'tooFar' : null;
}

/** The chosen moment in ms since the epoch; null for now. */
export function scheduledAt({ at }: Pick<Draft, 'at'>): number | null {
  const time = at === '' ? Number.NaN : new Date(at).getTime();
  return Number.isNaN(time) ? null : time;
}

/** A local date and time for a `datetime-local` field. @param ms since the epoch */
export function localTime(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

const PLACE = 'reelay-draft';

export function readDraft(storage: Storage, key: string): Draft {
  return parseDraft(storage.getItem(PLACE), key);
}

/** A full or forbidden storage only means that a reload loses the draft. */
export function keepDraft(storage: Storage, draft: Draft): void {
  try {
    storage.setItem(PLACE, JSON.stringify(draft));
  } catch {
    // See above.
  }
}
