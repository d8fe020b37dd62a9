/** `threads_publish`, the daily posting limit, and the public page of a post. */
import type { SimulatorOptions } from '../../contract.ts';
import { ok } from '../../graph/responses.ts';
import { page, textPage } from '../../http/pages.ts';
import type { Handler } from '../../http/routes.ts';
import { lastDay, publishVideo } from '../../store/records.ts';
import { asCaller, ownProfile, pickFields } from './caller.ts';
import { statusOf } from './containers.ts';
import { type Container, type Media, newCode, newId, type Profile, SWITCHES, switchesOf } from './records.ts';
import { invalid, refuse } from './responses.ts';

const POSTS_A_DAY = 250;

/** `POST /{profile}/threads_publish`. */
export const publish = asCaller(['threads_basic', 'threads_content_publish'], async (options, request, caller) => {
  ownProfile(caller, request.params.id);
  const { profile, parameters } = caller;
  const id = parameters.get('creation_id') ?? '';
  if (!id) invalid('Param creation_id is required.');
  const container = await options.store.get<Container>('container', id);
  if (!container || container.profileId !== profile.id) refuse(notFound(2_207_008));
  const switches = await switchesOf(options);
  if (await isLost(options, container)) refuse(notFound(4_279_009));
  const again = container.media.length > 0 && switches.publishTwice === true;
  const status = statusOf(container, options.now(), switches);
  if (!again && (status !== 'FINISHED' || container.media.length > 0))
    refuse(notFound(status === 'EXPIRED' ? 2_207_008 : status === 'ERROR' ? 2_207_006 : 4_279_009));
  // The error code for this is not documented.
  if (options.limits && lastDay(profile.posts, options.now()).length >= POSTS_A_DAY)
    refuse({ code: 9, subcode: 2_207_042, message: 'You reached the maximum number of posts that is allowed.' });
  const made = { id: newId('18'), code: newCode(), at: options.now() };
  const after = await options.store.change<Container>('container', id, (current) => {
    if (!current || (current.media.length > 0 && !again)) return undefined;
    return { ...current, media: [...current.media, made] };
  });
  if (!after?.media.some((media) => media.id === made.id)) refuse(notFound(4_279_009));
  await options.store.change<Profile>(
    'profile',
    profile.id,
    (current) => current && { ...current, posts: [...lastDay(current.posts, options.now()), made.at] },
  );
  await announce(options, after);
  const lost = after.trouble === 'lost-answer' && after.media.length === 1;
  return { ...ok({ id: made.id }), trouble: lost ? 'lost-answer' : undefined };
});

/** Whether the container is lost. With the switch, the first container to be published is. */
async function isLost({ store }: SimulatorOptions, { id, lost }: Container): Promise<boolean> {
  if (lost) return true;
  const { lostContainer, ...others } = await switchesOf({ store });
  if (!lostContainer) return false;
  await store.put(...SWITCHES, others);
  await store.change<Container>('container', id, (current) => current && { ...current, lost: lostContainer });
  return true;
}

export function notFound(subcode: number) {
  return {
    code: 24,
    subcode,
    message: 'The requested resource does not exist. Media Not Found: The media with this id cannot be found.',
  };
}

/**
 * Publishes the media of a container. Idempotent.
 *
 * The process may crash after the container is recorded and before this runs. The next reader of the container or the
 * lists then runs it.
 */
export async function announce(options: SimulatorOptions, container: Container): Promise<void> {
  if (container.announced >= container.media.length) return;
  const profile = await options.store.get<Profile>('profile', container.profileId);
  for (const { id, code, at } of container.media) {
    const { profileId, text, mime } = container;
    const media: Media = { id, profileId, code, text, at, blobs: [container.id], mime };
    await publishMedia(options, profile?.username ?? '', media);
  }
  await options.store.change<Container>(
    'container',
    container.id,
    (current) => current && { ...current, announced: Math.max(current.announced, container.media.length) },
  );
}

/** Stores a post and shows it to everybody. Idempotent. */
export async function publishMedia(options: SimulatorOptions, username: string, media: Media): Promise<void> {
  const { id, profileId, code, text, at, blobs, mime } = media;
  await options.store.insert('media', id, media, profileId);
  await options.store.insert('byCode', code, id);
  const url = permalinkOf(options, username, code);
  await publishVideo(options, { id, username, text, url, publishedAt: at, blobs, mime }, id);
}

/** `GET /{profile}/threads_publishing_limit`. */
export const publishingLimit = asCaller(
  ['threads_basic', 'threads_content_publish'],
  async (options, request, caller) => {
    ownProfile(caller, request.params.id);
    const all = {
      quota_usage: options.limits ? lastDay(caller.profile.posts, options.now()).length : 0,
      config: { quota_total: POSTS_A_DAY, quota_duration: 86_400 },
      reply_quota_usage: 0,
      reply_config: { quota_total: 1000, quota_duration: 86_400 },
    };
    return ok({ data: [pickFields(caller, all, 'quota_usage')] });
  },
);

export function permalinkOf(options: SimulatorOptions, username: string, code: string): string {
  return `${options.baseUrl}/@${encodeURIComponent(username)}/post/${code}`;
}

/** The public page of a post. */
export const postPage: Handler = async ({ store }, { params }) => {
  const id = await store.get<string>('byCode', params.code ?? '');
  const media = id === undefined ? undefined : await store.get<Media>('media', id);
  if (!media) return page('Post not found', '', 404);
  const profile = await store.get<Profile>('profile', media.profileId);
  return textPage(`@${profile?.username ?? ''}`, media.text);
};
