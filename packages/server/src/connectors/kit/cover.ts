/** Uploads a post's cover as an optional step. */
import type { Message } from '../../messages/message.ts';
import { say } from '../../messages/timeline.ts';
import { NetworkError } from '../../outbound/http-client.ts';
import { BudgetEmpty, PlatformError } from '../../outbound/platform-error.ts';
import type { Cover, Media } from '../contract.ts';

/**
 * Passes the post's cover to `send`, once. The cover is optional: any error becomes a message for the timeline, and
 * nothing is thrown. @returns null on success
 */
export async function tryCover(
  media: Pick<Media, 'cover'>,
  send: (cover: Cover) => Promise<void>,
): Promise<Message | null> {
  try {
    await send(await media.cover());
    return null;
  } catch (error) {
    if (error instanceof PlatformError) return error.failure.detail;
    const isOurs = error instanceof NetworkError || error instanceof BudgetEmpty;
    return say('cover_failed', { reason: isOurs ? error.message : '' });
  }
}
