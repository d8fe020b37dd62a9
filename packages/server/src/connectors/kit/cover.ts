/** Uploads a post's cover as an optional step. */
import { NetworkError } from '../../outbound/http-client.ts';
import { BudgetEmpty, PlatformError } from '../../outbound/platform-error.ts';
import type { Cover, Media } from '../contract.ts';

/**
 * Passes the post's cover to `send`, once. The cover is optional: any error becomes a message for the timeline, and
 * nothing is thrown. @returns "" on success
 */
export async function tryCover(media: Pick<Media, 'cover'>, send: (cover: Cover) => Promise<void>): Promise<string> {
  try {
    await send(await media.cover());
    return '';
  } catch (error) {
    if (error instanceof PlatformError) return error.failure.detail;
    const isOurs = error instanceof NetworkError || error instanceof BudgetEmpty;
    return isOurs ? error.message : 'The picture could not be handed over.';
  }
}
