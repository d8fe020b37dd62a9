/** Bluesky's own app, which stores the video as a blob and creates the record with a key of its own. */
import type { Phone } from '../../contract.ts';
import { PhoneRefused } from '../../refused.ts';
import { enrol } from './accounts.ts';
import { refOf, storeBlob } from './blobs.ts';
import { putRecord, removeRecord, type StoredRecord } from './repo.ts';
import type { World } from './world.ts';

const POST = 'app.bsky.feed.post';

export function createPhone(world: World): Phone {
  const { store, now, baseUrl } = world.options;
  return {
    async post(username, { text, video, publishedAt = now(), hiddenMs = 0, audience = 'public' }) {
      if (audience !== 'public') throw new PhoneRefused('Every post on Bluesky is public.');
      const account = await enrol(world, username);
      const { bytes: size, sha256, blob: key, width, height } = video;
      // The video service converts every video to MP4.
      const stored = await storeBlob(world, account.did, { size, sha256, mimeType: 'video/mp4', keys: [key] });
      const value = {
        $type: POST,
        text,
        createdAt: new Date(publishedAt).toISOString(),
        embed: { $type: 'app.bsky.embed.video', video: refOf(stored), aspectRatio: { width, height } },
      };
      const rkey = world.nextTid();
      const visibleAt = now() + hiddenMs;
      const id = await putRecord(world, account, { collection: POST, rkey, value, visibleAt });
      return { id, url: `${baseUrl}/profile/${account.did}/post/${rkey}` };
    },
    async edit(username, id, text) {
      const account = await enrol(world, username);
      const known = await store.get<StoredRecord>('record', id);
      if (!known?.uri.startsWith(`at://${account.did}/`)) throw new Error(`${username} has no post ${id}.`);
      const { rkey, value, visibleAt = 0 } = known;
      await putRecord(world, account, { collection: POST, rkey, value: { ...value, text }, visibleAt });
    },
    async remove(username, id) {
      await removeRecord(world, await enrol(world, username), id);
    },
  };
}
