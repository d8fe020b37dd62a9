/** A post that a user prepares, as stored. */
import { CENTER, type Fit } from '../media/types.ts';

/** What was typed for one account. */
export interface DraftOptions {
  /** Replaces the description; null: the description. */
  caption: string | null;
  /** Input of the account's form, by name of the field. */
  values: Record<string, string | boolean | string[]>;
}

export interface DraftVideo {
  /** A finished upload; null if it is no longer stored, or a post has used it. */
  uploadId: string | null;
  /** Name of the file. */
  name: string;
  bytes: number;
  /** Of the file, in ms since the epoch; null if it was not a file of the device. */
  lastModified: number | null;
}

export interface DraftContent {
  description: string;
  /** Ids of accounts. */
  platforms: string[];
  /** By account id, also of accounts that are not chosen now. */
  options: Record<string, DraftOptions>;
  /** ms since the epoch; null: now; `incomplete`: later, but no time is typed yet. */
  scheduled: number | 'incomplete' | null;
  /** Position of the cover in seconds. */
  previewTime: number;
  fit: Fit | null;
  /** As in `Adjustments`. */
  cropPosition: number;
  /** Start and end of the part that is posted, in seconds; null: of the video. */
  trimStart: number | null;
  trimEnd: number | null;
  video: DraftVideo | null;
}

/** The whole video, with the middle of its picture if it is cropped: fields that earlier clients and drafts do not have. */
export const WHOLE_VIDEO = { cropPosition: CENTER, trimStart: null, trimEnd: null };

export interface DraftState {
  id: string;
  /** Grows by one with each change. */
  version: number;
  changedAt: Date;
}

export type Draft = DraftState & DraftContent;

/** A draft in a list. Its description is cut. */
export type DraftSummary = DraftState & Pick<DraftContent, 'description' | 'platforms' | 'scheduled' | 'video'>;
