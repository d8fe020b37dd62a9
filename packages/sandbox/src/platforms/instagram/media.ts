/** Published media: `media_publish`, the account's list, single reels, the daily limit. */
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import { fileUrl } from '../../graph/files.ts';
import { fieldsIn } from '../../graph/parameters.ts';
import { isListed } from '../../graph/phone.ts';
import { graphTime, ok } from '../../graph/responses.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Handler } from '../../http/routes.ts';
import type { Json } from '../../json.ts';
import { newPlainSecret } from '../../oauth/tokens.ts';
import { totalBytes } from '../../store/chunks.ts';
import { ownedBy, publishVideo } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import { accountFor, type Caller, type CallerHandler, missing, picked, pickFields } from './caller.ts';
import { statusCodeOf } from './containers.ts';
import { type Account, type Container, type Medium, newId, type Settings, settingsOf } from './records.ts';
import { refuse } from './responses.ts';

const MAX_PAGE = 100;

/**
 * `POST /{ig-user-id}/media_publish`. The effect of a second call for a published container is not documented. The
 * simulator assumes the worst case: it publishes again.
 */
export const publish: CallerHandler = async (options, caller, igId) => {
  const account = await accountFor(options, caller, igId, 'content_publish');
  const creationId = caller.parameters.get('creation_id');
  if (!creationId) return refuse('100', 'The parameter creation_id is required.');
  const container = await options.store.get<Container>('container', creationId);
  if (!container) return refuse('24/2207008', 'The media container does not exist.');
  if (container.igId !== igId) return refuse('24/2207006', 'The media was not found.');
  const status = statusCodeOf(container, options.now());
  if (status === 'IN_PROGRESS') return refuse('9007/2207027', 'The media is not ready to be published.');
  if (status === 'ERROR' || status === 'EXPIRED') return refuse('24/2207008', 'The media container has expired.');
  if (account.restricted) return refuse('25/2207050', 'The account is restricted.');
  if (account.spam) return refuse('4/2207051', 'This action was blocked to protect the community.');
  const { quotaTotal } = await settingsOf(options);
  if (options.limits && (await postsOfDay(options, igId)) >= quotaTotal)
    return refuse('9/2207042', 'The account has reached its number of posts for 24 hours.');
  const medium = { id: newId('18'), at: options.now() };
  const after = await options.store.change<Container>(
    'container',
    creationId,
    (current) => current && { ...current, media: [...current.media, medium] },
  );
  await announce(options, after ?? container, account);
  const lost = container.trouble === 'lost-answer' && container.media.length === 0;
  return { ...ok({ id: medium.id }), trouble: lost ? 'lost-answer' : undefined };
};

/** Publishes the media of a container. Idempotent, so a crash in between is harmless. */
export async function announce(options: SimulatorOptions, container: Container, account: Account): Promise<void> {
  for (const { id, at } of container.media) {
    const known = await options.store.get<Medium>('media', id);
    const medium: Medium = {
      id,
      igId: container.igId,
      username: account.username,
      caption: container.caption,
      shortcode: newPlainSecret(8),
      shareToFeed: container.shareToFeed,
      createdAt: at,
      blobs: container.chunks.map(({ blob }) => blob),
      mime: container.mime,
      ...known,
    };
    await publishMedium(options, medium, totalBytes(container.chunks));
  }
}

/** Stores a medium unless it is known, and publishes it once. @param size of its file in bytes */
export async function publishMedium(options: SimulatorOptions, medium: Medium, size: number): Promise<void> {
  const { id, igId, username, caption, shortcode, createdAt, blobs, mime, removed } = medium;
  if (removed) return;
  await options.store.insert('media', id, medium, igId);
  await options.store.put('shortcode', shortcode, id);
  const url = permalinkOf(options, shortcode);
  await publishVideo(options, { id, username, text: caption, url, publishedAt: createdAt, blobs, mime }, id, size);
}

/** A medium that was not deleted. */
export async function mediumOf({ store }: Pick<SimulatorOptions, 'store'>, id: string): Promise<Medium | undefined> {
  const medium = await store.get<Medium>('media', id);
  return medium?.removed ? undefined : medium;
}

/** `GET /{ig-user-id}/media`, newest first. */
export const listMedia: CallerHandler = async (options, caller, igId) => {
  await accountFor(options, caller, igId, 'basic');
  const { parameters } = caller;
  const limit = Number(parameters.get('limit') ?? 25);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) return refuse('100', 'limit must be 1 to 100.');
  const settings = await settingsOf(options);
  const all = (await ownedBy<Medium>(options, 'media', igId))
    // Posts for close friends are assumed to be missing; the documentation does not mention them.
    .filter(({ removed, kind, phone }) => !removed && !phone?.limited && kind !== 'story')
    .filter(({ createdAt: at, phone }) => isListed({ at, phone }, options.now(), settings.listLagMs))
    .sort((a, b) => (cursorOf(a) < cursorOf(b) ? 1 : -1));
  const after = parameters.get('after');
  const rest = all.filter((medium) => after === undefined || cursorOf(medium) < after);
  const shown = rest.slice(0, limit);
  const fields = fieldsIn(parameters.get('fields') || 'id');
  const data = shown.map((medium) => pickFields(described(options, medium, settings), fields));
  const [first, last] = [shown[0], shown.at(-1)];
  if (!first || !last) return ok({ data: [] });
  const cursors = { before: cursorOf(first), after: cursorOf(last) };
  const host = caller.grant.login === 'instagram' ? 'graph-instagram' : 'graph-facebook';
  const next = `${options.baseUrl}/${host}/v25.0/${igId}/media?access_token=${caller.token}&after=${cursors.after}`;
  const more = limit < rest.length;
  return ok({ data, paging: { cursors, ...(more ? { next } : {}) } });
};

/** `GET /{media-id}`. */
export async function mediumNode(
  options: SimulatorOptions,
  caller: Caller,
  medium: Medium,
): Promise<SimulatorResponse> {
  if (!caller.igIds.includes(medium.igId)) return missing(medium.id);
  return picked(described(options, medium, await settingsOf(options)), caller.parameters);
}

/** `GET /{ig-user-id}/content_publishing_limit`. */
export const publishingLimit: CallerHandler = async (options, caller, igId) => {
  await accountFor(options, caller, igId, 'basic');
  const { quotaTotal } = await settingsOf(options);
  const usage = options.limits ? await postsOfDay(options, igId) : 0;
  const all = { quota_usage: usage, config: { quota_total: quotaTotal, quota_duration: DAY / 1000 } };
  return ok({ data: [pickFields(all, fieldsIn(caller.parameters.get('fields') || 'quota_usage'))] });
};

async function postsOfDay(options: SimulatorOptions, owner: string): Promise<number> {
  const all = await ownedBy<Medium>(options, 'media', owner);
  return all.filter(({ createdAt, phone }) => !phone && createdAt > options.now() - DAY).length;
}

function described(
  options: SimulatorOptions,
  medium: Medium,
  { fileLifeMs }: Settings,
): Record<string, Json | undefined> {
  const { id, kind = 'reel', flagged = false, children } = medium;
  const picture = `${options.baseUrl}/picture/${medium.igId}.png`;
  const isVideo = kind === 'reel' || kind === 'story';
  const file = isVideo ? fileUrl(options, id, fileLifeMs) : picture;
  return {
    id,
    caption: medium.caption || undefined,
    media_type: isVideo ? 'VIDEO' : kind === 'photo' ? 'IMAGE' : 'CAROUSEL_ALBUM',
    media_product_type: kind === 'reel' ? 'REELS' : kind === 'story' ? 'STORY' : 'FEED',
    media_url: flagged ? undefined : file,
    thumbnail_url: isVideo ? picture : undefined,
    permalink: permalinkOf(options, medium.shortcode),
    shortcode: medium.shortcode,
    timestamp: graphTime(medium.createdAt),
    username: medium.username,
    is_shared_to_feed: medium.shareToFeed,
    is_comment_enabled: true,
    comments_count: 0,
    like_count: 0,
    ig_id: id.slice(2),
    owner: { id: medium.igId },
    children: children && { data: children.map((type, index) => ({ id: `${id}${index}`, media_type: type })) },
  };
}

/** Sorts as the list does; a deletion between two pages moves no cursor. */
function cursorOf({ id, createdAt }: Medium): string {
  return Buffer.from(`${String(Math.floor(createdAt / 1000)).padStart(12, '0')} ${id}`).toString('hex');
}

export function permalinkOf({ baseUrl }: SimulatorOptions, shortcode: string): string {
  return `${baseUrl}/www-instagram/reel/${shortcode}/`;
}

/** The public page of a reel. */
export const reelPage: Handler = async (options, { params }) => {
  const id = await options.store.get<string>('shortcode', params.shortcode ?? '');
  const medium = id && (await mediumOf(options, id));
  if (!medium) return page('Sorry, this page is not available', '', 404);
  return textPage(`@${medium.username}`, medium.caption);
};
