/**
 * The input for a post. It is kept in the browser, so that it survives a reload and the end of a session
 * (`draft-store.ts`). Pure.
 */
import type { Post, PostChange } from '@reelay/sdk';
import { type TimeProblem, timeProblem } from '../time/schedule-limits.ts';

/** Identifies a file on this device by the properties that a browser shows. */
export interface FileIdentity {
  name: string;
  bytes: number;
  /** ms since the epoch; null if the video was not a file on this device. */
  lastModified: number | null;
}

export interface PendingUpload extends FileIdentity {
  id: string;
  /** Lower bound of the bytes that the service has. */
  sent: number;
  /** The tab that sends it. Other tabs do not touch it. */
  owner: string;
}

/** The value of one field of a post form. */
export type OptionValue = string | boolean | string[];
/** By name of the field. Empty fields are absent. */
export type OptionValues = Readonly<Record<string, OptionValue>>;

export interface AccountOptions {
  /** Replaces the description; null: the description. */
  caption: string | null;
  values: OptionValues;
}

export const NO_OPTIONS: AccountOptions = { caption: null, values: {} };

/** How a video is converted to 9:16. */
export const FITS = ['pad', 'blur', 'crop'] as const;

export interface Draft {
  description: string;
  accounts: string[];
  /** By account id, also of accounts that are not chosen now. */
  options: Readonly<Record<string, AccountOptions>>;
  /** ms since the epoch; null: now; "incomplete": later, but the typed time is incomplete. */
  at: number | 'incomplete' | null;
  /** Position of the cover in what is posted, in seconds. */
  previewTime: number;
  /** How a video that is not 9:16 is converted; null: not chosen. */
  fit: (typeof FITS)[number] | null;
  /** With `crop`, which part of the picture stays: from 0, the left or the top, to 1. */
  cropPosition: number;
  /** Start and end of what is posted, in seconds; null: of the video. */
  trimStart: number | null;
  trimEnd: number | null;
  /** A finished upload that is not posted yet. */
  upload: ({ id: string } & FileIdentity) | null;
  pending: PendingUpload | null;
  /**
   * The id of the draft on the service, and the idempotency key of its post: the service creates one, however often the
   * draft is sent. A UUID, except in drafts of earlier versions.
   */
  key: string;
  /** The version that the service has, and its content as text; null: it was never saved. */
  saved: { version: number; text: string } | null;
}

export function emptyDraft(key: string): Draft {
  return { description: '', accounts: [], options: {}, at: null, ...NO_VIDEO, key, saved: null };
}

/** The middle of the picture. */
const CENTER = 0.5;

/** The whole video without changes; its first picture is the cover. */
export const UNCHANGED_VIDEO = {
  ...{ previewTime: 0, fit: null, cropPosition: CENTER },
  ...{ trimStart: null, trimEnd: null },
} as const;

/** The fields of a draft without a video. */
export const NO_VIDEO = { ...UNCHANGED_VIDEO, upload: null, pending: null } as const;

/** What is made of the video, as requests have it. */
export function sentAdjustments({ fit, cropPosition, trimStart, trimEnd }: Draft): Adjustments {
  return {
    ...(fit === null ? {} : { fit }),
    ...(fit === 'crop' && cropPosition !== CENTER ? { cropPosition } : {}),
    ...(trimStart === null ? {} : { trimStart }),
    ...(trimEnd === null ? {} : { trimEnd }),
  };
}

/** Whether the service makes another video before the post exists, which takes up to a minute. */
export const isAdjusted = (draft: Draft): boolean => Object.keys(sentAdjustments(draft)).length > 0;

type Adjustments = Pick<PostChange, 'fit' | 'cropPosition' | 'trimStart' | 'trimEnd'>;

/**
 * A draft of the same post, now.
 * @param upload the video; null if the user must choose it again
 * @param values the input for the options of each account, by its id
 */
export function draftOf(
  { description, result, targets, previewTime }: Pick<Post, 'description' | 'result' | 'targets' | 'previewTime'>,
  upload: Draft['upload'],
  values: ReadonlyMap<string, OptionValues>,
  key: string,
): Draft {
  const options = targets.map(({ platformId: id, caption = null }) => [id, { caption, values: values.get(id) ?? {} }]);
  return {
    ...emptyDraft(key),
    description,
    accounts: result.map(({ id }) => id),
    options: Object.fromEntries(options),
    ...(upload ? { upload, previewTime } : {}),
  };
}

/** Whether the draft has no input that would be lost if it was replaced. */
export function isBlank({ upload, pending, description }: Draft): boolean {
  return upload === null && pending === null && description.trim() === '';
}

/**
 * The changes of a draft after its post was created: posted fields are emptied; fields that changed since are kept, and
 * so are the accounts, which most users choose again. Another draft may have replaced the posted one.
 * @param posted the draft that was sent
 * @param key of the next post
 */
export function changesAfterPost(draft: Draft, posted: Draft, key: string): Partial<Draft> {
  if (draft.key !== posted.key) return {};
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const changed = Object.entries(draft.options).filter(([id, options]) => !isSame(options, posted.options[id]));
  return {
    key,
    saved: null,
    options: Object.fromEntries(changed),
    ...(draft.description === posted.description ? { description: '' } : {}),
    ...(draft.at === posted.at ? { at: null } : {}),
    ...(draft.pending === null && draft.upload?.id === posted.upload?.id ? NO_VIDEO : {}),
  };
}

/** Parses a stored draft. Missing fields and wrong types are empty. */
export function parseDraft(text: string | null, key: string): Draft {
  const empty = emptyDraft(key);
  let stored: Partial<Record<keyof Draft, unknown>>;
  try {
    stored = Object(JSON.parse(text ?? '{}'));
  } catch {
    return empty;
  }
  const { description, accounts, options, at, upload, pending, key: storedKey, saved } = stored;
  return {
    description: typeof description === 'string' ? description : '',
    accounts: Array.isArray(accounts) ? accounts.filter((id) => typeof id === 'string') : [],
    options: parseOptions(options),
    at: parseAt(at),
    ...parseVideo(stored),
    upload: parseUpload(upload),
    pending: parsePending(pending),
    key: typeof storedKey === 'string' && storedKey !== '' ? storedKey : key,
    saved: parseSaved(saved),
  };
}

function parseVideo({ previewTime, fit, cropPosition, trimStart, trimEnd }: Partial<Record<keyof Draft, unknown>>) {
  return {
    previewTime: atLeastZero(previewTime) ?? 0,
    fit: FITS.find((each) => each === fit) ?? null,
    cropPosition: Math.min(1, atLeastZero(cropPosition) ?? CENTER),
    trimStart: atLeastZero(trimStart),
    trimEnd: atLeastZero(trimEnd),
  };
}

/** null if it is no number that is not negative. */
function atLeastZero(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 ? value : null;
}

function parseOptions(stored: unknown): Draft['options'] {
  const options = Object.entries(recordOf(stored)).map(([id, each]): [string, AccountOptions] => {
    const { caption, values } = recordOf(each);
    const known = Object.entries(recordOf(values)).filter((entry): entry is [string, OptionValue] => isValue(entry[1]));
    return [id, { caption: typeof caption === 'string' ? caption : null, values: Object.fromEntries(known) }];
  });
  return Object.fromEntries(options);
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function isValue(value: unknown): value is OptionValue {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string');
  return typeof value === 'string' || typeof value === 'boolean';
}

/** Drafts of earlier versions have a local date and time, as in `datetime-local` fields; "" means now. */
function parseAt(value: unknown): Draft['at'] {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : 'incomplete';
  if (typeof value !== 'string' || value === '') return null;
  const time = Date.parse(value);
  return Number.isNaN(time) ? 'incomplete' : time;
}

function parseUpload(value: unknown): Draft['upload'] {
  const { id, name, bytes, lastModified } = Object(value) as Record<string, unknown>;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof bytes !== 'number') return null;
  return { id, name, bytes, lastModified: typeof lastModified === 'number' ? lastModified : null };
}

function parseSaved(value: unknown): Draft['saved'] {
  const { version, text } = recordOf(value);
  return typeof version === 'number' && typeof text === 'string' ? { version, text } : null;
}

function parsePending(value: unknown): PendingUpload | null {
  const upload = parseUpload(value);
  const { sent, owner } = Object(value) as Record<string, unknown>;
  return upload && typeof sent === 'number' && typeof owner === 'string' ? { ...upload, sent, owner } : null;
}

export const identityOf = ({ name, size, lastModified }: File): FileIdentity => ({ name, bytes: size, lastModified });

/** Whether a file is the previously chosen one. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return (
    one.name === other.name &&
    one.bytes === other.bytes &&
    one.lastModified !== null &&
    one.lastModified === other.lastModified
  );
}

export type DraftProblem = 'noVideo' | 'noAccount' | 'tooManyAccounts' | 'longDescription' | TimeProblem;

/** Maximum number of accounts of one post. */
export const MAX_ACCOUNTS = 50;

/** Maximum number of code points of a description. */
export const MAX_DESCRIPTION = 5_000;

/** In code points. */
export const descriptionLength = (description: string): number => [...description].length;

export const isTooLong = (description: string): boolean => descriptionLength(description) > MAX_DESCRIPTION;

/** Why the draft cannot be posted; null if it can. @param now in ms since the epoch */
export function problemOf(draft: Draft, now: number): DraftProblem | null {
  return draft.upload ? inputProblem(draft, now) : 'noVideo';
}

/** Like {@link problemOf}, for a post that has a video already. */
export function inputProblem(draft: Draft, now: number): DraftProblem | null {
  if (draft.accounts.length === 0) return 'noAccount';
  if (draft.accounts.length > MAX_ACCOUNTS) return 'tooManyAccounts';
  if (isTooLong(draft.description)) return 'longDescription';
  if (draft.at === 'incomplete') return 'incomplete';
  return draft.at === null ? null : timeProblem(draft.at, now);
}

/** The chosen moment in ms since the epoch; null for now. */
export function scheduledAt({ at }: Pick<Draft, 'at'>): number | null {
  return typeof at === 'number' ? at : null;
}
