/** Drafts in requests and responses. */
import { z } from 'zod';
import type { DraftState } from '../../drafts/types.ts';
import { id, idText, timestamp } from '../../http/operation.ts';
import { FITS } from '../../media/types.ts';
import { fieldProblem, issueOf } from '../../messages/fields.ts';
import { cropPosition, trimSeconds } from '../post/adjustment-schema.ts';

/** Four times what a post may have, because the user may still shorten it. In UTF-16 units. */
const MAX_DESCRIPTION = 20_000;
/** More than a post may have. */
const MAX_ACCOUNTS = 200;
/** Of all options as JSON, in UTF-16 units. */
const MAX_OPTIONS = 65_536;
/** Of the name of a file, in UTF-16 units. */
const MAX_NAME = 255;

/** Input of a form, by name of the field. */
export const formValues = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]));

/** Refuses more JSON than {@link MAX_OPTIONS}. */
export function refuseLargeOptions(options: unknown, context: z.RefinementCtx): void {
  if (JSON.stringify(options).length <= MAX_OPTIONS) return;
  context.addIssue({ code: 'custom', message: issueOf(fieldProblem('too_long', { limit: MAX_OPTIONS })) });
}

export const videoName = z.string().min(1).max(MAX_NAME).meta({ description: 'Name of the file.' });

const lastModified = z.int().nullable().meta({ description: 'Of the file, in Unix milliseconds, if it has one.' });
const scheduled = z
  .union([z.int(), z.literal('incomplete')])
  .nullable()
  .meta({ description: 'Unix time in milliseconds; null: now; `incomplete`: later, but no time is chosen yet.' });
const platforms = z.array(id).max(MAX_ACCOUNTS).meta({ description: 'Ids of accounts.' });

const fields = {
  description: z.string().max(MAX_DESCRIPTION),
  platforms,
  options: z
    .record(z.string(), z.strictObject({ caption: z.string().nullable(), values: formValues }))
    .superRefine(refuseLargeOptions)
    .meta({
      description:
        'What was typed for accounts, by account id: a caption of its own, and input of the form of `GET /post-forms/{id}`. At most 65,536 characters as JSON.',
    }),
  scheduled,
  previewTime: z.number().nonnegative().meta({ description: 'Position of the thumbnail, in seconds.' }),
  fit: z.enum(FITS).nullable(),
};

const adjustments = { cropPosition, trimStart: trimSeconds.nullable(), trimEnd: trimSeconds.nullable() };
const AS_POST = { description: 'As in creating a post.' };

export const savedDraft = z
  .strictObject({
    version: z.int().nonnegative().meta({ description: 'The version that is replaced; 0: the draft is new.' }),
    ...fields,
    cropPosition: adjustments.cropPosition.optional().meta(AS_POST),
    trimStart: adjustments.trimStart.optional().meta(AS_POST),
    trimEnd: adjustments.trimEnd.optional().meta(AS_POST),
    video: z
      .strictObject({
        uploadId: idText.meta({ description: 'A finished upload (see `/uploads`).' }),
        name: videoName,
        lastModified,
      })
      .nullable(),
  })
  .meta({ id: 'SaveDraft' });

const video = z
  .object({
    uploadId: id.nullable().meta({ description: 'null: the video is no longer stored, or a post has used it.' }),
    name: z.string(),
    bytes: z.int(),
    lastModified,
  })
  .nullable();

const state = {
  id,
  version: z.int().meta({ description: 'Grows by one with each change.' }),
  changedAt: timestamp,
};

export const draft = z.object({ ...state, ...fields, ...adjustments, video }).meta({ id: 'Draft' });

export const draftSummary = z
  .object({
    ...state,
    description: z.string().meta({ description: 'The first 200 characters.' }),
    platforms: z.array(id).meta({ description: 'Ids of the first 50 accounts.' }),
    scheduled,
    video,
  })
  .meta({ id: 'DraftSummary' });

/** As a response has it. */
export function presentDraft<Shown extends DraftState>({ changedAt, ...rest }: Shown) {
  return { ...rest, changedAt: changedAt.toISOString() };
}
