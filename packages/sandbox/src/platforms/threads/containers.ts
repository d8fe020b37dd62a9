/** Containers: created from a URL that the platform fetches, then processed and published once. */
import type { SimulatorOptions } from '../../contract.ts';
import { captionKey, injectRequestedFault, processingTime } from '../../faults/requested.ts';
import { ok } from '../../graph/responses.ts';
import { DAY } from '../../time.ts';
import { asCaller, type Caller, ownProfile } from './caller.ts';
import { type Container, newId, type Switches, switchesOf } from './records.ts';
import { apiError, invalid, invalidToken, unavailable, usedUp } from './responses.ts';
import { killGrant } from './tokens.ts';

const MAX_TEXT = 500;
const MAX_LINKS = 5;
const MAX_BYTES = 1_000_000_000;
const REPLY_CONTROLS = [
  'everyone',
  'accounts_you_follow',
  'mentioned_only',
  'parent_post_author_only',
  'followers_only',
];
/** The user agent of the platform's servers. */
const AGENT = { 'user-agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)' };

/** `POST /{profile}/threads`. */
export const createContainer = asCaller(
  ['threads_basic', 'threads_content_publish'],
  async (options, request, caller) => {
    ownProfile(caller, request.params.id);
    const url = checked(caller);
    const { parameters, profile } = caller;
    const text = parameters.get('text') ?? '';
    const trouble = await injectFault(options, caller, text);
    const wait = (await switchesOf(options)).processingMs ?? options.processingMs;
    const base: Container = {
      id: newId('17'),
      profileId: profile.id,
      text,
      createdAt: options.now(),
      processingMs: processingTime(trouble, wait),
      errorMessage: trouble === 'reject' ? 'INVALID_FRAME_RATE' : null,
      size: 0,
      mime: 'video/mp4',
      replyControl: parameters.get('reply_control') ?? 'everyone',
      topicTag: parameters.get('topic_tag') ?? '',
      trouble,
      media: [],
      announced: 0,
    };
    const container = await fetched(options, base, url);
    await options.store.put('container', container.id, container, profile.id);
    return ok({ id: container.id });
  },
);

/** @returns the video's URL @throws Refused for a missing or invalid parameter */
function checked({ parameters }: Caller): string {
  if (parameters.get('media_type') !== 'VIDEO') invalid('The media_type is not supported.');
  const url = parameters.get('video_url') ?? '';
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) invalid('The video_url is missing or is no address.');
  const text = parameters.get('text') ?? '';
  if (lengthOf(text) > MAX_TEXT) invalid('Param text must be at most 500 characters long.');
  if (new Set(text.match(/https?:\/\/\S+/g)).size > MAX_LINKS)
    invalid('THREADS_API__LINK_LIMIT_EXCEEDED: The text has more than 5 links.');
  const control = parameters.get('reply_control');
  if (control !== undefined && !REPLY_CONTROLS.includes(control)) invalid('Param reply_control is not valid.');
  const tag = parameters.get('topic_tag');
  if (tag !== undefined && (tag.length < 1 || tag.length > 50 || /[.&]/.test(tag)))
    invalid('Param topic_tag is not valid.');
  const spoiler = parameters.get('is_spoiler_media');
  if (spoiler !== undefined && spoiler !== 'true' && spoiler !== 'false')
    invalid('Param is_spoiler_media is not valid.');
  return url;
}

/** An emoji counts as its UTF-8 bytes. */
function lengthOf(text: string): number {
  let length = 0;
  for (const { segment } of new Intl.Segmenter().segment(text))
    length += /\p{RGI_Emoji}/v.test(segment) ? Buffer.byteLength(segment) : [...segment].length;
  return length;
}

/** Fetches the video as the platform's servers do. A failure appears in the container's status. */
async function fetched(options: SimulatorOptions, base: Container, url: string): Promise<Container> {
  const failed = { ...base, errorMessage: 'FAILED_DOWNLOADING_VIDEO' };
  const response = await options.fetch(url, AGENT);
  if (!response) return failed;
  if (response.status !== 200) {
    response.body.resume();
    return failed;
  }
  try {
    const { bytes } = await options.blobs.put(base.id, response.body);
    const announced = Number(response.headers['content-length'] ?? bytes);
    if (bytes === 0 || bytes !== announced || bytes > MAX_BYTES) return failed;
    return { ...base, size: bytes, mime: response.headers['content-type'] ?? base.mime };
  } catch {
    return failed;
  }
}

export type ContainerStatus = 'IN_PROGRESS' | 'FINISHED' | 'PUBLISHED' | 'ERROR' | 'EXPIRED';

/** The status of a container. */
export function statusOf(container: Container, now: number, { statusLagMs = 0 }: Switches): ContainerStatus {
  const [first] = container.media;
  if (first && now - first.at >= statusLagMs) return 'PUBLISHED';
  if (first) return 'FINISHED';
  if (now - container.createdAt >= DAY) return 'EXPIRED';
  if (now - container.createdAt < container.processingMs) return 'IN_PROGRESS';
  return container.errorMessage === null ? 'FINISHED' : 'ERROR';
}

/** @throws Refused */
function injectFault({ store }: SimulatorOptions, { profile, record }: Caller, text: string) {
  const requester = { caption: text, publish: captionKey(profile.id, text), account: profile.id };
  return injectRequestedFault(store, requester, {
    async reconnect() {
      await killGrant({ store }, record.grantId, 458);
      return invalidToken(458, 'The user has not authorized application.');
    },
    rateLimited: apiError(usedUp(1)),
    down: unavailable(),
  });
}
