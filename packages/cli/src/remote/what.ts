/** What is to be posted, or checked, as the command line says it. */
import type { NewPost } from '@reelay/sdk/node';
import { parseWhen } from '../when.ts';

export interface WhatToPost {
  to: string[];
  url?: string;
  description?: string;
  at?: string;
  previewTime?: number;
  fit?: 'pad' | 'crop';
  options?: Record<string, Record<string, unknown>>;
  json?: boolean;
}

/** Where the video is: here, or at an address that the service fetches it from. */
export type Source = { file: string } | { videoUrl: string };

/** @throws Error with a sentence where there is no video or more than one, or no such time */
export function whatToPost(
  file: string | undefined,
  { to, url, description, at, previewTime, fit, options }: WhatToPost,
): { source: Source; fields: Omit<NewPost, 'video'>; zone: string } {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const scheduled = at === undefined ? undefined : parseWhen(at, new Date(), zone);
  const fields = { platforms: to, description, scheduled, previewTime, fit, options };
  if (file !== undefined && url === undefined) return { source: { file }, fields, zone };
  if (file === undefined && url !== undefined) return { source: { videoUrl: url }, fields, zone };
  throw new Error('Name one video: a file, or an address with --url.');
}
