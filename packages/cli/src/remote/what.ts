/** Converts the options of `post` and `check` to the fields of a post. */
import type { NewPost } from '@reelay/sdk/node';
import { ERROR } from '../messages.ts';
import { parseWhen } from '../when.ts';
import type { Trim } from './arguments.ts';

export interface WhatToPost {
  to: string[];
  url?: string;
  description?: string;
  at?: string;
  previewTime?: number;
  fit?: NewPost['fit'];
  cropPosition?: number;
  trim?: Trim;
  options?: Record<string, Record<string, unknown>>;
  json?: boolean;
}

/** The video's source: a local file, or a URL from which the service fetches it. */
export type Source = { file: string } | { videoUrl: string };

/** @throws Error with a one-line message if there is no video or more than one, or the time is invalid */
export function whatToPost(
  file: string | undefined,
  { to, url, description, at, previewTime, fit, cropPosition, trim, options }: WhatToPost,
): { source: Source; fields: Omit<NewPost, 'video'>; zone: string } {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const scheduled = at === undefined ? undefined : parseWhen(at, new Date(), zone);
  const fields = { platforms: to, description, scheduled, previewTime, fit, cropPosition, ...trim, options };
  if (file !== undefined && url === undefined) return { source: { file }, fields, zone };
  if (file === undefined && url !== undefined) return { source: { videoUrl: url }, fields, zone };
  throw new Error(ERROR.oneVideo);
}
