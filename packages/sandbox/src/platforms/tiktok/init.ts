/** Opens uploads. */
import type { SimulatorOptions } from '../../contract.ts';
import { captionKey, forgetFault, injectRequestedFault, processingTime } from '../../faults/requested.ts';
import { jsonObject } from '../../http/parameters.ts';
import { at } from '../../json.ts';
import { endGrant, newPlainSecret } from '../../oauth/tokens.ts';
import { HOUR } from '../../time.ts';
import { asCaller, type Caller } from './caller.ts';
import { chunkPlanFault } from './chunk-plan.ts';
import { postingRefusal, privacyOptions } from './profile.ts';
import { type Account, appSettings, newId, publishIdOf, type Task, type Wishes } from './records.ts';
import { failed, ok, type Refusal, rateLimited, refuse, stringAt } from './responses.ts';

const MAX_BYTES = 4 * 1024 ** 3;
const MAX_TITLE = 2200;

/** `POST /v2/post/publish/video/init/`: validates the post and opens an upload. */
export const initUpload = asCaller('init', ['video.publish'], async (options, request, caller) => {
  const body = await jsonObject(request);
  if (!body) return refuse(options, 'invalid_params', 'The body must be a JSON object and be sent as JSON.');
  const title = stringAt(body, 'post_info', 'title') ?? '';
  const fault = await injectFault(options, caller, title);
  const refusal =
    refusalOfPost(body) ??
    refusalOfSource(body) ??
    (await postingRefusal(options, caller.account)) ??
    (await refusalOfPrivacy(options, caller.account, stringAt(body, 'post_info', 'privacy_level') ?? ''));
  if (refusal) return refuse(options, refusal.code, refusal.message);
  const task = newTask(options, caller.account, body, { title, trouble: fault });
  await options.store.put('task', task.uploadId, task, caller.account.openId);
  // Counts the account as a creator who posted in the last 24 hours.
  await options.store.put('active', caller.account.openId, options.now());
  await forgetFault(options.store, caller.account.openId, title);
  return ok(options, {
    publish_id: publishIdOf(task.uploadId),
    upload_url: `${options.baseUrl}/video/?upload_id=${task.uploadId}&upload_token=${task.uploadToken}`,
  });
});

function newTask(
  options: SimulatorOptions,
  account: Account,
  body: object,
  { title, trouble }: Pick<Task, 'title' | 'trouble'>,
): Task {
  return {
    uploadId: newId(options),
    uploadToken: newPlainSecret(24),
    openId: account.openId,
    title,
    privacy: stringAt(body, 'post_info', 'privacy_level') ?? '',
    wishes: settingsOf(at(body, 'post_info')),
    size: Number(at(body, 'source_info', 'video_size')),
    chunkSize: Number(at(body, 'source_info', 'chunk_size')),
    chunkCount: Number(at(body, 'source_info', 'total_chunk_count')),
    chunks: [],
    expiresAt: options.now() + HOUR,
    postId: newId(options),
    trouble,
    processingMs: processingTime(trouble, options.processingMs),
    failReason: trouble === 'reject' ? 'file_format_check_failed' : null,
    mime: 'video/mp4',
    completedAt: null,
    announced: false,
  };
}

function settingsOf(post: unknown): Wishes {
  const says = (name: string) => at(post, name) === true;
  const cover = at(post, 'video_cover_timestamp_ms');
  const moment = typeof cover === 'number' && Number.isInteger(cover) && cover >= 0 && cover < 2 ** 31;
  return {
    noComments: says('disable_comment'),
    noDuets: says('disable_duet'),
    noStitches: says('disable_stitch'),
    ownBusiness: says('brand_organic_toggle'),
    partnership: says('brand_content_toggle'),
    byMachine: says('is_aigc'),
    coverAtMs: moment ? cover : 0,
  };
}

function refusalOfPost(body: object): Refusal | null {
  const wrong = (message: string): Refusal => ({ code: 'invalid_params', message });
  const post = at(body, 'post_info');
  const title = at(post, 'title');
  if (title !== undefined && typeof title !== 'string') return wrong('title must be text.');
  if (typeof title === 'string' && title.length > MAX_TITLE) return wrong('title has at most 2200 UTF-16 code units.');
  const privacy = at(post, 'privacy_level');
  if (typeof privacy !== 'string') return wrong('privacy_level is missing.');
  for (const name of ['brand_content_toggle', 'brand_organic_toggle'])
    if (typeof at(post, name) !== 'boolean') return wrong(`${name} is missing.`);
  for (const name of ['disable_duet', 'disable_comment', 'disable_stitch', 'is_aigc'])
    if (!['boolean', 'undefined'].includes(typeof at(post, name))) return wrong(`${name} must be true or false.`);
  if (at(post, 'brand_content_toggle') === true && privacy === 'SELF_ONLY')
    return wrong('Branded content cannot be visible to oneself only.');
  return null;
}

function refusalOfSource(body: object): Refusal | null {
  const source = at(body, 'source_info');
  const number = (name: string) => {
    const found = at(source, name);
    return typeof found === 'number' ? found : Number.NaN;
  };
  // The simulated developer portal cannot verify domains.
  if (at(source, 'source') === 'PULL_FROM_URL')
    return { code: 'url_ownership_unverified', message: 'The domain of video_url is not verified.' };
  if (at(source, 'source') !== 'FILE_UPLOAD')
    return { code: 'invalid_params', message: 'source is missing or unknown.' };
  if (number('video_size') > MAX_BYTES)
    return { code: 'invalid_file_upload', message: 'The video is larger than 4 GB.' };
  const fault = chunkPlanFault(number('video_size'), number('chunk_size'), number('total_chunk_count'));
  return fault ? { code: 'invalid_params', message: fault } : null;
}

async function refusalOfPrivacy(options: SimulatorOptions, account: Account, privacy: string): Promise<Refusal | null> {
  const { audited } = await appSettings(options);
  if (!audited && !(account.private && privacy === 'SELF_ONLY'))
    return {
      code: 'unaudited_client_can_only_post_to_private_accounts',
      message: 'An application without audit posts to private accounts only, visible to themselves only.',
    };
  if (!privacyOptions(account).includes(privacy))
    return { code: 'privacy_level_option_mismatch', message: 'The creator cannot choose this privacy_level.' };
  return null;
}

/** After a successful init, the same caption requests its fault again. @throws Refused */
function injectFault(options: SimulatorOptions, { account: { openId }, grantId }: Caller, title: string) {
  const requester = { caption: title, publish: captionKey(openId, title), account: openId };
  return injectRequestedFault(options.store, requester, {
    async reconnect() {
      await endGrant(options.store, grantId);
      return refuse(options, 'access_token_invalid', 'The user took the permission back.');
    },
    rateLimited: rateLimited(options),
    down: failed(options, 503),
  });
}
