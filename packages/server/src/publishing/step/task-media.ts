/** The video of a task, as connectors read it. */
import { buffer } from 'node:stream/consumers';
import type { Container, Media } from '../../connectors/contract.ts';
import { settleWithin } from '../../errors/time-limit.ts';
import { HOUR, MINUTE } from '../../lib/time.ts';
import type { Storage } from '../../storage/contract.ts';
import { pictureKey } from '../../storage/pictures.ts';
import type { Task } from '../task.ts';

export interface MediaSource {
  storage: Storage;
  /** The URL from which a platform fetches a target's video. @param until ms since the epoch */
  link: (targetId: string, container: Container, until: number) => string;
}

const READ_WITHIN_MS = MINUTE;
/** Platforms fetch within minutes, but ask for links that stay valid for a day. */
const LINK_LIFE_MS = 25 * HOUR;

export function createTaskMedia({ storage, link }: MediaSource, task: Task): Media {
  const { facts, sha256, storageKey, thumbnail } = task.media;
  return {
    bytes: facts.bytes,
    sha256,
    mime: facts.mime,
    container: facts.container,
    durationMs: facts.durationMs,
    width: facts.width,
    height: facts.height,
    stream: (range) => settleWithin(READ_WITHIN_MS, storage.read(storageKey, range)),
    link: () => link(task.target.id, facts.container, task.readAt + LINK_LIFE_MS),
    async cover() {
      const picture = await settleWithin(READ_WITHIN_MS, storage.read(pictureKey(thumbnail)));
      return { mime: 'image/jpeg', bytes: await buffer(picture) };
    },
  };
}
