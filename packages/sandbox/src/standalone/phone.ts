import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Blobs, Phone, PhonePost } from '../contract.ts';
import { readPhoneVideo } from '../media/phone-video.ts';

/** The platform's own app, with which the owner of an account posts, edits and deletes. */
export interface SandboxPhone {
  /**
   * Publishes a video on the account of a user name, which is created if missing.
   * @returns the public id
   * @throws Error if the file is not an MP4 or QuickTime video
   */
  post(username: string, post: SandboxPhonePost): Promise<{ id: string; url: string }>;
  /** Changes the caption. @throws Error if the post is unknown, or the platform cannot edit posts */
  edit(username: string, id: string, text: string): Promise<void>;
  /** Deletes a post. Deleting a missing one succeeds. */
  remove(username: string, id: string): Promise<void>;
}

export interface SandboxPhonePost extends Omit<PhonePost, 'video'> {
  /** The bytes, or the path of a file. */
  video: Uint8Array | string;
}

/** Creates the phone of a platform. Its functions throw if the simulator has none. */
export function createPhone(platform: string, phone: Phone | undefined, blobs: Blobs): SandboxPhone {
  const found = (): Phone => {
    if (!phone) throw new Error(`The simulator of ${platform} has no phone.`);
    return phone;
  };
  return {
    async post(username, { video, ...content }) {
      const { post } = found();
      const blob = `phone-${randomUUID()}`;
      const source =
        typeof video === 'string' ? createReadStream(video) : Readable.from([video], { objectMode: false });
      const described = await readPhoneVideo(blobs, { blob, ...(await blobs.put(blob, source)) });
      if (described) return post(username, { ...content, video: described });
      await blobs.remove(blob);
      throw new Error('The file is not an MP4 or QuickTime video.');
    },
    async edit(username, id, text) {
      const { edit } = found();
      if (!edit) throw new Error(`Posts on ${platform} cannot be edited.`);
      await edit(username, id, text);
    },
    remove: async (username, id) => found().remove(username, id),
  };
}
