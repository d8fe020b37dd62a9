/** What platforms share that publish a video from a container of the Graph API. */
import { MINUTE } from '../../lib/time.ts';
import type { Published, Session } from '../contract.ts';
import { graphTime } from './graph-api.ts';
import { textAt } from './json.ts';

export type ContainerState = 'working' | 'finished' | 'published' | 'failed' | 'expired';

const STATES: Readonly<Record<string, ContainerState>> = {
  FINISHED: 'finished',
  PUBLISHED: 'published',
  ERROR: 'failed',
  EXPIRED: 'expired',
};

/** Maps a container's status. An unknown one counts as "in progress". */
export function containerState(status: string): ContainerState {
  return (Object.hasOwn(STATES, status) ? STATES[status] : undefined) ?? 'working';
}

/** How late a publish request may take effect or become visible. */
export const LATE_MS = 15 * MINUTE;

/** Delay in ms until a finished container proves that it was not published; 0 if it already does. */
export function unsettledMs({ sandbox, now }: Pick<Session, 'sandbox' | 'now'>, committedAt: number): number {
  const leftMs = committedAt + LATE_MS - now();
  return leftMs > 0 && !sandbox ? Math.max(MINUTE, Math.min(leftMs, 5 * MINUTE)) : 0;
}

/** Reads a published post. The platform may omit its URL. @param urlOf builds the URL from the shortcode */
export function readPublished(
  media: unknown,
  remoteId: string | null,
  urlOf: (shortcode: string) => string,
): Published {
  const permalink = textAt(media, 'permalink');
  const shortcode = textAt(media, 'shortcode');
  const built = /^[\w-]+$/.test(shortcode) ? urlOf(shortcode) : null;
  return {
    remoteId,
    url: /^https?:\/\//.test(permalink) ? permalink : built,
    publishedAt: graphTime(textAt(media, 'timestamp')),
  };
}
