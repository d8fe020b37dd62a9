/** Posting with the Threads app. */
import type { Phone, SimulatorOptions } from '../../contract.ts';
import { phoneMark, removeBytes } from '../../graph/phone.ts';
import { update } from '../../store/records.ts';
import { permalinkOf, publishMedia } from './publishing.ts';
import { enrolProfile, type Media, newCode, newId, switchesOf } from './records.ts';

export function phoneOf(options: SimulatorOptions): Phone {
  const { store } = options;
  return {
    async post(given, post) {
      const { id: profileId, username } = await enrolProfile(options, given);
      const { listLagMs } = await switchesOf(options);
      const now = options.now();
      const media: Media = {
        id: newId('18'),
        profileId,
        code: newCode(),
        text: post.text,
        at: post.publishedAt ?? now,
        blobs: [post.video.blob],
        mime: post.video.mime,
        phone: phoneMark(post, now, listLagMs),
      };
      await publishMedia(options, username, media);
      return { id: media.id, url: permalinkOf(options, username, media.code) };
    },
    async edit(_username, id, text) {
      if (!(await update<Media>(store, ['media', id], { text }))) throw new Error(`There is no post ${id}.`);
    },
    async remove(_username, id) {
      const media = await store.get<Media>('media', id);
      await store.remove('media', id);
      await store.unpublish(id);
      if (media) await removeBytes(options.blobs, { phone: media.phone, keys: media.blobs });
    },
  };
}
