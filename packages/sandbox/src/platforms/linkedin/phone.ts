/** LinkedIn's own app, used by a member or for a page. */
import type { Phone, SimulatorOptions } from '../../contract.ts';
import { newPlainSecret } from '../../oauth/tokens.ts';
import { writeLittleText } from './little-text.ts';
import { announce, removePost, storeNew } from './posts.ts';
import { accountNamed, type Post, type Video } from './records.ts';

export function createPhone(options: SimulatorOptions): Phone {
  const { store, now, baseUrl } = options;
  /** @param id a URN, or its number */
  const ownPost = async (username: string, id: string) => {
    const { urn } = await accountNamed(options, username);
    const post = await store.get<Post>('post', /^\d+$/.test(id) ? `urn:li:ugcPost:${id}` : id);
    return post?.author === urn ? post : undefined;
  };
  return {
    async post(username, { text, video: { blob, bytes }, publishedAt: createdAt = now(), hiddenMs, audience }) {
      const { urn: author, isMember } = await accountNamed(options, username);
      const video: Video = {
        urn: `urn:li:video:D4D10AQ${newPlainSecret(9)}`,
        owner: author,
        size: bytes,
        uploadToken: '',
        key: newPlainSecret(24),
        parts: [],
        expiresAt: now(),
        finalizedAt: now() - options.processingMs,
        blobs: [blob],
        thumbnail: null,
      };
      await store.put('video', video.urn, video, author);
      await store.put('upload', video.key, video.urn);
      const limited = isMember ? 'CONNECTIONS' : 'LOGGED_IN';
      const post = await storeNew(options, {
        author,
        commentary: writeLittleText(text),
        visibility: audience === 'limited' ? limited : 'PUBLIC',
        video: video.urn,
        title: null,
        createdAt,
        announced: false,
        ...(hiddenMs === undefined ? {} : { visibleAt: now() + hiddenMs }),
      });
      await announce(options, post);
      return { id: post.urn, url: `${baseUrl}/feed/update/${post.urn}/` };
    },
    async edit(username, id, text) {
      const post = await ownPost(username, id);
      if (!post) throw new Error(`${username} has no post ${id}.`);
      const edited: Post = { ...post, commentary: writeLittleText(text), editedAt: now(), announced: false };
      await store.put('post', post.urn, edited, post.author);
      await store.unpublish(post.urn);
      await announce(options, edited);
    },
    async remove(username, id) {
      const post = await ownPost(username, id);
      if (post) await removePost(options, post.urn);
    },
  };
}
