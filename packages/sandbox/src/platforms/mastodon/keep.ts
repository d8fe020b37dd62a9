/**
 * Stores a status in a crash-safe way. A process can die between two records, so one step decides: the status is stored
 * unrevealed, then claims its media (first come, first served). From then on it counts as posted, and the next read
 * completes the publishing. An unrevealed status without its media was never posted.
 */
import { publishVideo, update } from '../../store/records.ts';
import { statusUrl } from './present.ts';
import type { Account, Medium, Status, World } from './state.ts';
import { streamStatus } from './streaming.ts';

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
  await showInFeed(world, status, account, media);
  const shown = await update<Status>(store, ['status', status.id], { revealed: true });
  if (shown) await streamStatus(world, 'update', shown);
  return true;
}

function showInFeed(world: World, status: Status, { username }: Account, media: readonly Medium[]): Promise<void> {
  const entry = {
    id: status.id,
    username,
    text: status.text,
    url: statusUrl(world, username, status.id),
    publishedAt: status.createdAt,
    blobs: media.map((medium) => medium.blob),
    mime: media[0]?.mime ?? 'text/plain',
  };
  return publishVideo(world.options, entry, `mastodon ${status.id} ${status.editedAt ?? ''}`.trim());
}

/** Changes the text of a posted status. @throws Error if the account has no such status */
export async function editStatus(world: World, account: Account, id: string, text: string): Promise<void> {
  const { store } = world.options;
  const known = await store.get<Status>('status', id);
  if (known?.accountId !== account.id || !(await isPosted(world, known)))
    throw new Error(`There is no status "${id}".`);
  const status = await update<Status>(store, ['status', id], { text, editedAt: world.now() });
  const media = await Promise.all(known.mediaIds.map((mediumId) => store.get<Medium>('medium', mediumId)));
  await store.unpublish(id);
  if (!status) return;
  const shown = media.filter((medium) => medium !== undefined);
  await showInFeed(world, status, account, shown);
  await streamStatus(world, 'status.update', status);
}

/** Deletes a status and its media. */
export async function removeStatus(world: World, status: Status): Promise<void> {
  const { store, blobs } = world.options;
  await store.unpublish(status.id);
  await store.remove('status', status.id);
  world.streams.send(status.accountId, 'delete', status.id);
  for (const id of status.mediaIds) {
    const medium = await store.get<Medium>('medium', id);
    await store.remove('medium', id);
    if (medium) await blobs.remove(medium.blob);
  }
}
