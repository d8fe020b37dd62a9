/**
 * Stores a status in a crash-safe way. A process can die between two records, so one step decides: the status is stored
 * unrevealed, then claims its media (first come, first served). From then on it counts as posted, and the next read
 * completes the publishing. An unrevealed status without its media was never posted.
 */
import { publishVideo, update } from '../../store/records.ts';
import { statusUrl } from './present.ts';
import type { Account, Medium, Status, World } from './state.ts';

/** Stores and publishes a status. Returns the id of a medium that another status has claimed, else null. */
export async function storeStatus(world: World, status: Status): Promise<string | null> {
  const { store } = world.options;
  await store.insert('status', status.id, status, status.accountId);
  const taken: string[] = [];
  for (const id of status.mediaIds) {
    const medium = await store.change<Medium>('medium', id, (current) =>
      current?.statusId === null ? { ...current, statusId: status.id } : undefined,
    );
    if (medium?.statusId !== status.id) {
      for (const other of taken) await update<Medium>(store, ['medium', other], { statusId: null });
      await store.remove('status', status.id);
      return id;
    }
    taken.push(id);
  }
  await isPosted(world, status);
  return null;
}

/** Whether a stored status is posted. Completes the publishing if a crash interrupted it. */
export async function isPosted(world: World, status: Status): Promise<boolean> {
  if (status.revealed) return true;
  const { store } = world.options;
  const found = await Promise.all(status.mediaIds.map((id) => store.get<Medium>('medium', id)));
  const media = found.filter((medium) => medium?.statusId === status.id) as Medium[];
  const account = await store.get<Account>('account', status.accountId);
  if (media.length < status.mediaIds.length || !account) return false;
  const entry = {
    id: status.id,
    username: account.username,
    text: status.text,
    url: statusUrl(world, account.username, status.id),
    publishedAt: status.createdAt,
    blobs: media.map((medium) => medium.blob),
    mime: media[0]?.mime ?? 'text/plain',
  };
  await publishVideo(world.options, entry, `mastodon ${status.id}`);
  await update<Status>(store, ['status', status.id], { revealed: true });
  return true;
}
