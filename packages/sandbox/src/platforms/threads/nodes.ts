/** Reads nodes: the profile, its posts, a single post, a container. */
import type { SimulatorOptions } from '../../contract.ts';
import { fileUrl } from '../../graph/files.ts';
import { limitIn, timeIn } from '../../graph/parameters.ts';
import { isListed } from '../../graph/phone.ts';
import { graphTime, ok } from '../../graph/responses.ts';
import type { JsonObject } from '../../json.ts';
import { ownedBy } from '../../store/records.ts';
import { asCaller, type Caller, noSuchObject, ownProfile, pickFields } from './caller.ts';
import { statusOf } from './containers.ts';
import { announce, notFound, permalinkOf } from './publishing.ts';
import { type Container, type Media, type Switches, switchesOf } from './records.ts';
import { refuse } from './responses.ts';

/** `GET /{id}`: the profile, a container or a post. */
export const readNode = asCaller(['threads_basic'], async (options, request, caller) => {
  const { profile } = caller;
  const id = request.params.id ?? '';
  if (id === 'me' || id === profile.id)
    return ok(
      pickFields(caller, {
        id: profile.id,
        username: profile.username,
        name: profile.name,
        threads_profile_picture_url: `${options.baseUrl}/picture/${profile.id}.png`,
        threads_biography: '',
        is_verified: false,
      }),
    );
  const switches = await switchesOf(options);
  const container = await options.store.get<Container>('container', id);
  if (container?.profileId === profile.id) {
    await announce(options, container);
    if (container.lost === 'status') refuse(notFound(4_279_009));
    const status = statusOf(container, options.now(), switches);
    const message = status === 'ERROR' ? (container.errorMessage ?? 'UNKNOWN') : undefined;
    return ok(pickFields(caller, { id, status, error_message: message }));
  }
  const media = await options.store.get<Media>('media', id);
  if (media?.profileId !== profile.id) refuse(noSuchObject(id));
  return ok(pickFields(caller, mediaFields(options, caller, media, switches)));
});

/** `GET /{profile}/threads`: its posts, newest first, without replies. */
export const listPosts = asCaller(['threads_basic'], async (options, request, caller) => {
  ownProfile(caller, request.params.id);
  const { profile, parameters } = caller;
  const switches = await switchesOf(options);
  for (const container of await ownedBy<Container>(options, 'container', profile.id))
    await announce(options, container);
  const [since, until] = [timeIn(parameters, 'since'), timeIn(parameters, 'until')];
  const posts = (await ownedBy<Media>(options, 'media', profile.id))
    // Posts for followers only are assumed to be missing; the documentation does not mention them.
    .filter(({ phone }) => !phone?.limited)
    .filter((media) => isListed(media, options.now(), switches.listLagMs))
    .filter(({ at }) => at >= since && at <= until)
    .sort((a, b) => b.at - a.at);
  const from = Number(parameters.get('after') ?? 0) || 0;
  const shown = posts.slice(from, from + limitIn(parameters));
  const data = shown.map((media) => pickFields(caller, mediaFields(options, caller, media, switches)));
  if (data.length === 0) return ok({ data });
  const paging: JsonObject = { cursors: { before: String(from), after: String(from + data.length) } };
  return ok({ data, paging });
});

/** All fields of a post. */
function mediaFields(options: SimulatorOptions, { profile }: Caller, media: Media, switches: Switches) {
  const { type = 'VIDEO', flagged = false, children } = media;
  const picture = `${options.baseUrl}/picture/${profile.id}.png`;
  const file = type === 'VIDEO' ? fileUrl(options, media.id, switches.fileLifeMs) : picture;
  const isHidden = flagged || switches.noPermalink;
  return {
    id: media.id,
    media_product_type: 'THREADS',
    media_type: type,
    media_url: flagged || type === 'TEXT_POST' || type === 'REPOST_FACADE' ? undefined : file,
    thumbnail_url: type === 'VIDEO' ? picture : undefined,
    permalink: isHidden ? undefined : permalinkOf(options, profile.username, media.code),
    shortcode: media.code,
    text: media.text || undefined,
    timestamp: graphTime(media.at),
    username: profile.username,
    is_quote_post: media.isQuote ?? false,
    has_replies: false,
    children: children && {
      data: children.map((each, index) => ({ id: `${media.id}${index}`, media_type: each })),
    },
  };
}
