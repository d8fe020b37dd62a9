/** The TikTok app of an account's owner. Only public videos are listed. Captions cannot be edited. */
import type { Phone, SimulatorOptions } from '../../contract.ts';
import { ownedBy, publishVideo } from '../../store/records.ts';
import { enrolAccount, newId, type Video } from './records.ts';
import { shareUrl } from './videos.ts';

export function phone(options: SimulatorOptions): Phone {
  const { store, now } = options;
  return {
    async post(given, { text, video, publishedAt = now(), hiddenMs = options.processingMs, audience }) {
      const { openId, username } = await enrolAccount(options, given);
      const taken = (await ownedBy<Video>(options, 'video', openId)).map(({ createdAt }) => createdAt);
      // No two videos of an account have the same time: it is the cursor of the list.
      let createdAt = publishedAt;
      while (taken.includes(createdAt)) createdAt++;
      const { blob, bytes, mime, durationMs, width, height } = video;
      const posted: Video = {
        postId: newId(options, publishedAt),
        openId,
        username,
        title: text,
        privacy: audience === 'limited' ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE',
        createdAt,
        visibleAt: now() + hiddenMs,
        durationMs,
        width,
        height,
      };
      await store.put('video', posted.postId, posted, openId);
      const url = shareUrl(options, posted);
      const entry = { id: posted.postId, username, text, url, publishedAt, blobs: [blob], mime };
      await publishVideo(options, entry, posted.postId, bytes);
      return { id: posted.postId, url };
    },
    async remove(_username, id) {
      await store.remove('video', id);
      await store.unpublish(id);
    },
  };
}
