/** Reads nodes: the profile, its posts, a single post, a container. */

import type { SimulatorOptions } from '../../contract.ts';
import { ok } from '../../graph/answers.ts';
import type { JsonObject } from '../../json.ts';
import { refuse } from './answers.ts';
import { asCaller, type Caller, noSuchObject, ownProfile, pickFields } from './caller.ts';
import { statusOf } from './containers.ts';
import { permalinkOf } from './pages.ts';
import { announce } from './publishing.ts';
import { type Container, type Media, type Switches, switchesOf } from './records.ts';

const KEPT = 10_000;

/** `GET /{id}`: the profile, a container or a post. */
export const readNode = asCaller(['threads_basic'], async (options, request, caller) => {
  const { profile, parameters } = caller;
  const id = request.params.id ?? '';
  const asked = parameters.get('fields');
  if (id === 'me' || id === profile.id)
    return ok(
      pickFields(asked, 'id', {
        id: profile.id,
        username: profile.username,
        name: profile.name,
        threads_profile_picture_url: `${options.baseUrl}/picture/${profile.id}.svg`,
        threads_biography: '',
        is_verified: false,
      }),
    );
  const switches = await switchesOf(options);
  const container = await options.books.get<Container>('container', id);
  if (container?.profileId === profile.id) {
    await announce(options, container);
    const status = statusOf(container, options.now(), switches);
    const message = status === 'ERROR' ? (container.errorMessage ?? 'UNKNOWN') : undefined;
    return ok(pickFields(asked, 'id', { id, status, error_message: message }));
  }
  const media = await options.books.get<Media>('media', id);
  if (media?.profileId !== profile.id) refuse(noSuchObject(id));
  return ok(pickFields(asked, 'id', mediaFields(options, caller, media, switches)));
});

/** `GET /{profile}/threads`: its posts, newest first, without replies. */
export const listPosts = asCaller(['threads_basic'], async (options, request, caller) => {
  ownProfile(caller, request.params.id);
  const { profile, parameters } = caller;
  const switches = await switchesOf(options);
  const containers = await options.books.list<Container>('container', { owner: profile.id, limit: KEPT });
  for (const { value } of containers) await announce(options, value);
  const known = await options.books.list<Media>('media', { owner: profile.id, limit: KEPT });
  const seconds = (name: string, otherwise: number) => Number(parameters.get(name) ?? otherwise) * 1000;
  const posts = known
    .map(({ value }) => value)
    .filter(({ at }) => options.now() - at >= (switches.listLagMs ?? 0))
    .filter(({ at }) => at >= seconds('since', 0) && at <= seconds('until', 1e12))
    .sort((a, b) => b.at - a.at);
  const limit = Math.min(Math.max(1, Math.trunc(Number(parameters.get('limit') ?? 25)) || 25), 100);
  const from = Number(parameters.get('after') ?? 0) || 0;
  const shown = posts.slice(from, from + limit);
  const data = shown.map((media) =>
    pickFields(parameters.get('fields'), 'id', mediaFields(options, caller, media, switches)),
  );
  if (data.length === 0) return ok({ data });
  const paging: JsonObject = { cursors: { before: String(from), after: String(from + data.length) } };
  return ok({ data, paging });
});

/** All fields of a post. Timestamps have the Graph API's ISO 8601 format: `2026-11-21T10:00:00+0000`. */
function mediaFields(options: SimulatorOptions, { profile }: Caller, media: Media, { noPermalink }: Switches) {
  const permalink = permalinkOf(options, profile.username, media.code);
  return {
    id: media.id,
    media_product_type: 'THREADS',
    media_type: 'VIDEO',
    media_url: undefined,
    thumbnail_url: undefined,
    permalink: noPermalink ? undefined : permalink,
    shortcode: media.code,
    text: media.text || undefined,
    timestamp: `${new Date(media.at).toISOString().slice(0, 19)}+0000`,
    username: profile.username,
    is_quote_post: false,
    has_replies: false,
  };
}
