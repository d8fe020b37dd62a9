/** X's own app. Who sees a post depends on the account alone, so a limited audience makes the account protected. */
import { createHash } from 'node:crypto';
import type { Phone, SimulatorOptions } from '../../contract.ts';
import { update } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import type { Activity } from './activity.ts';
import { reveal } from './posts.ts';
import { type Account, enrolAccount, firstId, type Medium, newId, type Post, type PostVersion } from './records.ts';
import { postOf, removePost } from './timeline.ts';

/** @param activity announces new posts and versions */
export function createPhone(options: SimulatorOptions, { announce }: Activity): Phone {
  const { store, now, baseUrl } = options;
  const ownPost = async (username: string, id: string) => {
    const [account, post] = [await enrolAccount(options, username), await postOf(options, id)];
    return post?.accountId === account.id ? post : undefined;
  };
  return {
    async post(given, { text, video, publishedAt: createdAt = now(), hiddenMs, audience }) {
      const { id: accountId, username } = await enrolAccount(options, given);
      if (audience) await update<Account>(store, ['account', accountId], { protected: audience === 'limited' });
      const { blob, bytes, durationMs, width, height } = video;
      const mediaId = newId(options);
      const medium: Medium = {
        id: mediaId,
        accountId,
        key: `7_${mediaId}`,
        type: 'video/mp4',
        category: 'tweet_video',
        totalBytes: bytes,
        expiresAt: now() + DAY,
        blobs: [blob],
        finalizedAt: now(),
        readyAt: now(),
        error: null,
        shape: { durationMs, width, height },
      };
      await store.put('media', mediaId, medium, accountId);
      const id = newId(options, createdAt);
      const key = createHash('sha256').update(id).digest('hex');
      const lag = hiddenMs === undefined ? {} : { visibleAt: now() + hiddenMs };
      const post: Post = { id, key, accountId, text, mediaIds: [mediaId], createdAt, revealed: false, ...lag };
      await store.put('post', key, post, accountId);
      await reveal(options, post);
      await announce(options, post);
      return { id, url: `${baseUrl}/${encodeURIComponent(username)}/status/${id}` };
    },
    /** Creates a new version, whose id differs. */
    async edit(username, id, text) {
      const post = await ownPost(username, id);
      if (!post) throw new Error(`${username} has no post ${id}.`);
      const previous: PostVersion = { id: post.id, text: post.text, createdAt: post.createdAt };
      const edits = [...(post.edits ?? []), previous];
      const edited: Post = { ...post, id: newId(options), text, createdAt: now(), revealed: false, edits };
      await store.put('post', post.key, edited, post.accountId);
      await store.unpublish(firstId(post));
      await reveal(options, edited);
      await announce(options, edited);
    },
    async remove(username, id) {
      const post = await ownPost(username, id);
      if (post) await removePost(options, post);
    },
  };
}
