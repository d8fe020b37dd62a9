/** Spotlights: create, review, and list. */
import { faultTagIn, type SimulatorOptions, type SimulatorResponse } from '../../contract.ts';
import { injectRequestedFault, processingTime } from '../../faults/requested.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Handler } from '../../http/routes.ts';
import type { JsonObject } from '../../json.ts';
import { endGrant, newSecret } from '../../oauth/tokens.ts';
import { ownedBy, publishVideo, update } from '../../store/records.ts';
import { asCaller } from './caller.ts';
import { usableMedium } from './media.ts';
import { type Medium, type Profile, type Settings, type Spotlight, settingsOf } from './records.ts';
import { badRequest, bodyOf, ok, problem, serverError, tooMany, unauthorized } from './responses.ts';

const MAX_DESCRIPTION = 160;

export const showSpotlight = asCaller(async (options, request, { profile }) => {
  const spotlight = await options.store.get<Spotlight>('spotlight', request.params.id ?? '');
  if (spotlight?.profileId !== profile.id || spotlight.forFriends)
    throw await problem(options, 'SPOTLIGHT_NOT_FOUND', 'There is no such spotlight.');
  await announce(options, spotlight, profile);
  return listed(options, [spotlight]);
});

export const createSpotlight = asCaller(async (options, request, { profile, grantId }) => {
  const body = await bodyOf(request, ['media_id', 'locale', 'description', 'skip_save_to_profile']);
  const { media_id: mediaId, locale, description = '', skip_save_to_profile: skip = false } = body;
  if (typeof mediaId !== 'string') throw badRequest('media_id is missing.');
  if (typeof locale !== 'string' || !/^[a-z]{2}_[A-Z]{2}$/.test(locale))
    throw badRequest('locale is missing or wrong.');
  if (typeof description !== 'string' || description.length > MAX_DESCRIPTION)
    throw badRequest('description has at most 160 characters.');
  if (typeof skip !== 'boolean') throw badRequest('skip_save_to_profile must be true or false.');
  const medium = await usableMedium(options, profile, mediaId);
  const settings = await settingsOf(options);
  await assertReady(options, medium, settings);
  const publish = { caption: description, publish: `${profile.id} ${mediaId}` };
  const fault = await injectRequestedFault(options.store, publish, {
    async reconnect() {
      await endGrant(options.store, grantId);
      return unauthorized();
    },
    rateLimited: tooMany(2),
    down: serverError(503),
  });
  const spotlight: Spotlight = {
    id: `W7_${newSecret(48)}`,
    profileId: profile.id,
    mediaId,
    caption: description,
    locale,
    savedToProfile: !skip,
    createdAt: options.now(),
    rejected: fault === 'reject',
    announced: false,
  };
  await update<Medium>(options.store, ['medium', mediaId], { postedAt: options.now() });
  await options.store.put('spotlight', spotlight.id, spotlight, profile.id);
  await announce(options, spotlight, profile);
  // A slow spotlight is one whose review takes long.
  return { ...ok({ spotlight_id: spotlight.id }), trouble: fault === 'lost-answer' ? fault : undefined };
});

async function assertReady(options: SimulatorOptions, medium: Medium, { postingMs }: Settings): Promise<void> {
  const { now, processingMs } = options;
  if (medium.finalizedAt === null) throw await problem(options, 'MEDIA_NOT_READY', 'The media is not finalized.');
  if (now() < medium.finalizedAt + processingMs)
    throw await problem(options, 'MEDIA_PROCESSING', 'The media is still being processed.');
  if (!medium.plain) throw await problem(options, 'MEDIA_INVALID', 'The media could not be decrypted.');
  if (medium.postedAt !== null && now() < medium.postedAt + postingMs)
    throw await problem(options, 'MEDIA_POSTING_ALREADY_IN_PROGRESS', 'The media is being posted already.');
}

/** Publishes a spotlight. Reading spotlights also publishes one that a crash left unpublished. */
export async function announce(options: SimulatorOptions, spotlight: Spotlight, profile: Profile): Promise<void> {
  if (spotlight.announced || spotlight.rejected) return;
  const medium = await options.store.get<Medium>('medium', spotlight.mediaId);
  if (!medium?.plain) return;
  const entry = {
    id: spotlight.id,
    username: profile.username,
    text: spotlight.caption,
    url: spotlightUrl(options, spotlight.id),
    publishedAt: spotlight.createdAt,
    blobs: [medium.plain.blob],
    mime: 'video/mp4',
  };
  await publishVideo(options, entry, spotlight.id);
  await update<Spotlight>(options.store, ['spotlight', spotlight.id], { announced: true });
}

export function spotlightUrl({ baseUrl }: SimulatorOptions, id: string): string {
  return `${baseUrl}/spotlight/${id}`;
}

export const listSpotlights = asCaller(async (options, request, { profile }) => {
  const limit = Number(request.query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) throw badRequest('limit must be 1 to 100.');
  const { listLagMs, oldestFirst, pages } = await settingsOf(options);
  const cursor = request.query.get('cursor') ?? '0';
  if (!/^\d+$/.test(cursor)) throw badRequest('The cursor is not valid.');
  const all = await ownedBy<Spotlight>(options, 'spotlight', profile.id);
  const shown = all
    .filter(({ forFriends }) => !forFriends)
    .filter(({ createdAt, listedFrom = createdAt + listLagMs }) => listedFrom <= options.now())
    .sort((one, other) => other.createdAt - one.createdAt);
  for (const spotlight of shown) await announce(options, spotlight, profile);
  if (oldestFirst) shown.reverse();
  const end = Number(cursor) + limit;
  const path = `/v1/public_profiles/${profile.id}/spotlights?limit=${limit}&cursor=${end}`;
  const paging = pages && end < shown.length ? { next_link: `${options.baseUrl}${path}` } : null;
  return listed(options, shown.slice(Number(cursor), end), paging);
});

function listed(
  options: SimulatorOptions,
  spotlights: readonly Spotlight[],
  paging: JsonObject | null = null,
): SimulatorResponse {
  return ok({
    ...(paging && { paging }),
    spotlights: spotlights.map((each) => ({
      sub_request_status: 'SUCCESS',
      spotlight: spotlightJson(options, each),
    })),
  });
}

/** The review lasts as long as processing, or longer if the text requests it. */
function spotlightJson({ now, processingMs }: SimulatorOptions, spotlight: Spotlight): JsonObject {
  const reviewMs = processingTime(faultTagIn(spotlight.caption), processingMs);
  const reviewed = now() >= spotlight.createdAt + reviewMs;
  return {
    id: spotlight.id,
    profile_id: spotlight.profileId,
    status: reviewed ? (spotlight.rejected ? 'REJECTED' : 'LIVE') : 'SUBMITTED',
    created_at: new Date(spotlight.createdAt).toISOString(),
    caption: spotlight.caption,
    title: '',
  };
}

/** Returns the public page of a spotlight. A rejected one has none. */
export const spotlightPage: Handler = async ({ store }, { params }) => {
  const spotlight = await store.get<Spotlight>('spotlight', params.id ?? '');
  if (!spotlight || spotlight.rejected || spotlight.forFriends) return page('This Snap is not there', '', 404);
  return textPage('Spotlight', spotlight.caption);
};
