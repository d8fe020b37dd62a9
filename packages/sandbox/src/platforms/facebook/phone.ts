/** Posting with the Facebook app: reels of a Page. */
import type { Phone, SimulatorOptions } from '../../contract.ts';
import { phoneMark, removeBytes } from '../../graph/phone.ts';
import { update } from '../../store/records.ts';
import { SECOND } from '../../time.ts';
import { enrolUser, newVideo, type Video } from './records.ts';
import { announce } from './video.ts';

export function phoneOf(options: SimulatorOptions): Phone {
  const { store, blobs, baseUrl } = options;
  return {
    async post(username, post) {
      const { pages } = await enrolUser(options, username);
      const [page] = pages;
      if (!page) throw new Error('A login has at least one Page.');
      const now = options.now();
      const at = post.publishedAt ?? now;
      const { blob, bytes, mime, durationMs } = post.video;
      const video: Video = {
        ...newVideo(options, page),
        createdAt: at,
        size: bytes,
        parts: [{ blob, bytes }],
        uploadedAt: at,
        processingMs: 0,
        state: 'PUBLISHED',
        finishedAt: at,
        description: post.text,
        lengthSeconds: durationMs / SECOND,
        mime,
        phone: phoneMark(post, now),
      };
      await store.put('video', video.id, video, page.id);
      await announce(options, video);
      return { id: video.id, url: `${baseUrl}/reel/${video.id}/` };
    },
    async edit(_username, id, description) {
      if (!(await update<Video>(store, ['video', id], { description }))) throw new Error(`There is no reel ${id}.`);
    },
    async remove(_username, id) {
      const video = await store.get<Video>('video', id);
      await store.remove('video', id);
      await store.unpublish(id);
      if (video) await removeBytes(blobs, { phone: video.phone, keys: video.parts.map(({ blob }) => blob) });
    },
  };
}
