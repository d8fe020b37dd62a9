/** JSON entities of the API (docs.joinmastodon.org, "Entities"). */
import type { JsonObject } from '../../json.ts';
import { statusHtml } from './html.ts';
import type { Account, App, Medium, Poll, Status, World } from './state.ts';

export function accountJson(world: World, account: Account): JsonObject {
  const base = world.options.baseUrl;
  return {
    id: account.id,
    username: account.username,
    acct: account.username,
    display_name: account.username.replace(/^./, (first) => first.toUpperCase()),
    url: `${base}/@${account.username}`,
    uri: `${base}/users/${account.username}`,
    avatar: `${base}/avatars/original/${account.id}.png`,
    avatar_static: `${base}/avatars/original/${account.id}.png`,
    locked: false,
    bot: false,
    created_at: new Date(account.createdAt).toISOString(),
  };
}

export function mediumJson(world: World, medium: Medium): JsonObject {
  const file = `${world.options.baseUrl}/system/media_attachments/${medium.id}`;
  return {
    id: medium.id,
    type: medium.kind,
    url: medium.readyAt <= world.now() ? `${file}/original` : null,
    preview_url: `${file}/small`,
    remote_url: null,
    text_url: null,
    meta: { focus: { x: 0, y: 0 }, ...(medium.film && { original: originalJson(medium.film) }) },
    description: medium.description,
    blurhash: 'U58E9~of00ay00ay~qj[00ay?bof',
  };
}

function originalJson({ durationMs, width, height }: NonNullable<Medium['film']>): JsonObject {
  return { width, height, frame_rate: '30/1', duration: durationMs / 1000, bitrate: 1_000_000 };
}

function pollJson(world: World, id: string, { options, multiple, expiresAt }: Poll): JsonObject {
  return {
    id,
    expires_at: new Date(expiresAt).toISOString(),
    expired: expiresAt <= world.now(),
    multiple,
    votes_count: 0,
    voters_count: multiple ? 0 : null,
    voted: true,
    own_votes: [],
    options: options.map((title) => ({ title, votes_count: 0 })),
    emojis: [],
  };
}

export function statusUrl(world: World, username: string, id: string): string {
  return `${world.options.baseUrl}/@${username}/${id}`;
}

/** A stored status, with its account, application, and media. */
export async function storedStatusJson(world: World, status: Status): Promise<JsonObject> {
  const store = world.options.store;
  const account = await store.get<Account>('account', status.accountId);
  if (!account) throw new Error('A status without an account.');
  const app = await store.get<App>('app', status.clientId);
  const replied = status.inReplyToId ? await store.get<Status>('status', status.inReplyToId) : undefined;
  const media = await Promise.all(status.mediaIds.map((id) => store.get<Medium>('medium', id)));
  return {
    id: status.id,
    created_at: new Date(status.createdAt).toISOString(),
    in_reply_to_id: status.inReplyToId ?? null,
    in_reply_to_account_id: replied?.accountId ?? null,
    sensitive: status.sensitive,
    spoiler_text: status.spoilerText,
    visibility: status.visibility,
    language: status.language,
    uri: `${world.options.baseUrl}/users/${account.username}/statuses/${status.id}`,
    url: statusUrl(world, account.username, status.id),
    replies_count: 0,
    reblogs_count: 0,
    favourites_count: 0,
    edited_at: status.editedAt === undefined ? null : new Date(status.editedAt).toISOString(),
    content: statusHtml(status.text, world.options.baseUrl),
    reblog: null,
    application: app ? { name: app.name, website: app.website } : null,
    account: accountJson(world, account),
    media_attachments: media.flatMap((medium) => (medium ? [mediumJson(world, medium)] : [])),
    mentions: [],
    tags: [],
    emojis: [],
    card: null,
    poll: status.poll ? pollJson(world, status.id, status.poll) : null,
  };
}
