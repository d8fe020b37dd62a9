/** The web page or an app of the owner, which posts with one click. */
import type { Phone } from '../../contract.ts';
import { usernameOf } from '../../oauth/usernames.ts';
import { editStatus, removeStatus, storeStatus } from './keep.ts';
import { statusUrl } from './present.ts';
import { accountNamed, type Medium, type Status, type World } from './state.ts';

export function phone(world: World): Phone {
  const { store } = world.options;
  const suffix = `@${world.domain}`;
  /** Also by its address in the Fediverse. */
  const accountOf = (given: string) => {
    const username = usernameOf(given);
    return accountNamed(world, username.endsWith(suffix) ? username.slice(0, -suffix.length) : username);
  };
  return {
    async post(username, { text, video, publishedAt, hiddenMs, audience }) {
      const account = await accountOf(username);
      const now = world.now();
      const { listLagMs = 0 } = await world.switches();
      // Ids follow the time of creation, also of backdated statuses (Mastodon source).
      const id = world.nextId(publishedAt);
      const createdAt = publishedAt ?? now;
      const { blob, bytes, sha256, mime, ...film } = video;
      const medium: Medium = {
        ...{ id: world.nextId(), accountId: account.id, kind: 'video', mime, bytes, sha256, blob, film },
        ...{ description: null, thumbnail: null, createdAt: now, readyAt: now, statusId: null },
      };
      const status: Status = {
        ...{ id, accountId: account.id, clientId: 'web', text, spoilerText: '', createdAt },
        visibility: audience === 'limited' ? 'private' : 'public',
        ...{ sensitive: false, language: 'en', mediaIds: [medium.id], hiddenUntil: now, revealed: false },
        listedFrom: now + (hiddenMs ?? listLagMs),
      };
      await store.put('medium', medium.id, medium, account.id);
      await storeStatus(world, status);
      return { id, url: statusUrl(world, account.username, id) };
    },
    async edit(username, id, text) {
      await editStatus(world, await accountOf(username), id, text);
    },
    async remove(username, id) {
      const { id: accountId } = await accountOf(username);
      const status = await store.get<Status>('status', id);
      if (status?.accountId === accountId) await removeStatus(world, status);
    },
  };
}
