/** The draft as the service stores it. Pure. */
import type { SaveDraft, Draft as StoredDraft } from '@reelay/sdk';
import { type Draft, isBlank } from './draft.ts';

type Content = Omit<SaveDraft, 'version'>;

/** What the service stores: everything except an upload that is not finished. */
export function contentOf({ description, accounts, options, at, upload, ...draft }: Draft): Content {
  const video = upload && { uploadId: upload.id, name: upload.name, lastModified: upload.lastModified };
  return { description, platforms: accounts, options, scheduled: at, ...adjustedIn(draft), video };
}

/** The content as text, to compare. */
export const textOf = (draft: Draft): string => JSON.stringify(contentOf(draft));

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether the service can have the draft: those of earlier versions keep their key, because it may have been sent. */
export const isStorable = ({ key }: Draft): boolean => UUID.test(key);

/** Whether the service does not have the draft in its present form. */
export function hasChanges(draft: Draft): boolean {
  return draft.saved ? draft.saved.text !== textOf(draft) : !isBlank(draft);
}

/** Whether the draft has to be saved. */
export const isDue = (draft: Draft): boolean => hasChanges(draft) && isStorable(draft);

/** The fields of a draft that was read. Without its video, if that is no longer stored. */
export function fieldsOf({ id, version, platforms, scheduled, video, ...rest }: StoredDraft): Draft {
  const { description, options } = rest;
  const { uploadId = null, name = '', bytes = 0, lastModified = null } = video ?? {};
  const upload = uploadId === null ? null : { id: uploadId, name, bytes, lastModified };
  const draft = { description, accounts: platforms, options, at: scheduled, upload };
  const whole: Draft = { ...draft, ...adjustedIn(rest), pending: null, key: id, saved: null };
  return { ...whole, saved: { version, text: textOf(whole) } };
}

type Adjusted = Pick<Draft, 'previewTime' | 'fit' | 'cropPosition' | 'trimStart' | 'trimEnd'>;

/** The fields of the video that a draft has here and on the service, in one order, because they are compared as text. */
function adjustedIn({ previewTime, fit, cropPosition, trimStart, trimEnd }: Adjusted): Adjusted {
  return { previewTime, fit, cropPosition, trimStart, trimEnd };
}
