/** Posting with the Instagram app: reels are public, or for close friends. */
import type { Phone, SimulatorOptions } from '../../contract.ts';
import { phoneMark, removeBytes } from '../../graph/phone.ts';
import { newPlainSecret } from '../../oauth/tokens.ts';
import { update } from '../../store/records.ts';
import { mediumOf, permalinkOf, publishMedium } from './media.ts';
import { enrolAccount, type Medium, newId, settingsOf } from './records.ts';

export function phoneOf(options: SimulatorOptions): Phone {
  const change = (id: string, values: Partial<Medium>) => update<Medium>(options.store, ['media', id], values);
  return {
    async post(given, post) {
      const { igId, username } = await enrolAccount(options, given);
      const { listLagMs } = await settingsOf(options);
      const now = options.now();
      const medium: Medium = {
        id: newId('18'),
        igId,
        username,
        caption: post.text,
        shortcode: newPlainSecret(8),
        shareToFeed: true,
        createdAt: post.publishedAt ?? now,
        blobs: [post.video.blob],
        mime: post.video.mime,
        phone: phoneMark(post, now, listLagMs),
      };
      await publishMedium(options, medium, post.video.bytes);
      return { id: medium.id, url: permalinkOf(options, medium.shortcode) };
    },
    async edit(_username, id, caption) {
      if (!(await mediumOf(options, id))) throw new Error(`There is no reel ${id}.`);
      await change(id, { caption });
    },
    async remove(_username, id) {
      const medium = await mediumOf(options, id);
      if (!medium) return;
      // The record stays, because a container would publish its reel again.
      await change(id, { removed: true });
      await options.store.unpublish(id);
      await removeBytes(options.blobs, { phone: medium.phone, keys: medium.blobs });
    },
  };
}
