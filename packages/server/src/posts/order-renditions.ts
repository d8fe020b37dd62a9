/** Queues the renditions of a post that waits. */
import type { Queryable } from '../db/database.ts';
import { orderRendition } from '../media/rendition/rendition-store.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/timeline.ts';
import { chooseFile } from '../publishing/choose-file.ts';
import type { StoredVideo } from './keep-video.ts';
import type { PostAccount } from './post-store.ts';

/** The rendition for a target, and why it is needed. */
export interface OrderedRendition {
  id: string;
  why: Message;
}

/**
 * Queues the renditions that the accounts' platforms need, so that they are made while the post waits. The publisher
 * handles later changes and videos that cannot be converted.
 * @returns renditions by account id
 */
export async function orderRenditions(
  tx: Queryable,
  { id: mediaId, facts }: StoredVideo,
  accounts: readonly Pick<PostAccount, 'id' | 'capabilities'>[],
): Promise<Map<string, OrderedRendition>> {
  const ordered = accounts.flatMap(({ id, capabilities }) => {
    const choice = chooseFile(capabilities, facts, null);
    return choice.file === 'order' ? [{ account: id, ...choice }] : [];
  });
  const ids = new Map<string, string>();
  // Same order in every transaction, to avoid deadlocks.
  for (const { wanted } of ordered.toSorted((a, b) => (a.wanted.key < b.wanted.key ? -1 : 1)))
    ids.set(wanted.key, ids.get(wanted.key) ?? (await orderRendition(tx, mediaId, wanted)));
  return new Map(
    ordered.flatMap(({ account, wanted, why }) => {
      const id = ids.get(wanted.key);
      return id ? [[account, { id, why: say('file_converting', { reason: why }) }] as const] : [];
    }),
  );
}
