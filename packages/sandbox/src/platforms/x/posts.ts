/** `POST /2/tweets`: validates and stores a post. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SimulatorOptions, SimulatorResponse } from '../../contract.ts';
import { injectRequestedFault, responseFault } from '../../faults/requested.ts';
import { ownedBy, publishVideo, update } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import type { Activity } from './activity.ts';
import type { Caller, CallerHandler } from './caller.ts';
import { isUsable } from './media.ts';
import { postLength } from './post-length.ts';
import { blank, invalid, tooMany } from './problems.ts';
import { readBody } from './query.ts';
import { type Account, firstId, type Medium, newId, type Post } from './records.ts';
import { shownText } from './shown-text.ts';
import { endGrant } from './tokens.ts';

const MAX_WEIGHT = 280;
const MAX_PREMIUM_WEIGHT = 25_000;
const NOT_PERMITTED = 'You are not permitted to perform this action.';
const DUPLICATE = 'You are not allowed to create a Tweet with duplicate content.';
/** Observed on real accounts since 2026; X's documentation does not quote it. */
const ONE_CASHTAG = 'Posts are limited to a maximum of one cashtag';
/** As X's own twitter-text 3.1 finds them (`validCashtag`). */
const CASHTAG = /(?<=^|\s)\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s!'#%&()*+,\-./:;<=>?@[\]^_{|}~$])/gi;

const id = z.string().regex(/^[0-9]{1,19}$/);
const CREATE = z.strictObject({
  text: z.string().optional(),
  media: z
    .strictObject({
      media_ids: z.array(id).min(1).max(4),
      preview_media_id: id.optional(),
      tagged_user_ids: z.array(id).max(10).optional(),
      title: z.string().optional(),
      description: z.string().optional(),
      embeddable: z.boolean().optional(),
      call_to_actions: z.unknown().optional(),
    })
    .optional(),
  made_with_ai: z.boolean().optional(),
  paid_partnership: z.boolean().optional(),
  reply_settings: z.enum(['following', 'mentionedUsers', 'subscribers', 'verified']).optional(),
  community_id: id.optional(),
  share_with_followers: z.boolean().optional(),
  nullcast: z.boolean().optional(),
  for_super_followers_only: z.boolean().optional(),
  quote_tweet_id: id.optional(),
  reply: z.strictObject({ in_reply_to_tweet_id: id }).optional(),
  edit_options: z.strictObject({ previous_post_id: id }).optional(),
  poll: z.strictObject({ options: z.array(z.string()).min(2).max(4), duration_minutes: z.int() }).optional(),
  geo: z.strictObject({ place_id: z.string() }).optional(),
});

/** @param activity announces the post */
export const createPost =
  ({ announce }: Activity): CallerHandler =>
  async (options, request, caller) => {
    const { text = '', media } = await readBody(request, CREATE);
    const mediaIds = media?.media_ids ?? [];
    const trouble = responseFault(await injectFault(options, caller, text, mediaIds.join(' ')));
    const refusal =
      refusalOfText(text, mediaIds.length > 0, caller.account) ?? (await refusalOfMedia(options, mediaIds, caller));
    if (refusal) return refusal;
    if (caller.switches.strictDuplicates && (await isRepeated(options, caller.account, text)))
      return blank(403, DUPLICATE);
    const post = newPost(options, caller.account, text, mediaIds);
    const fresh = await options.store.insert('post', post.key, post, caller.account.id);
    const stored = fresh ? post : await options.store.get<Post>('post', post.key);
    if (stored) await reveal(options, stored);
    if (!fresh) return blank(403, DUPLICATE);
    await announce(options, post);
    const attached = mediaIds.map((key) => ({ key }));
    const { text: shown } = shownText(post, caller.account.username, attached);
    return { status: 201, body: { data: { id: post.id, text: shown, edit_history_post_ids: [post.id] } }, trouble };
  };

/** Posts are keyed by text and media, so a second post with the same text and media is a duplicate. */
function newPost(options: SimulatorOptions, { id: accountId }: Account, text: string, mediaIds: string[]): Post {
  const key = createHash('sha256')
    .update(JSON.stringify([accountId, text, mediaIds]))
    .digest('hex');
  return { id: newId(options), key, accountId, text, mediaIds, createdAt: options.now(), revealed: false };
}

/**
 * Publishes a stored post. Idempotent. The process may crash before this runs; the next reader of the post then runs
 * it.
 */
export async function reveal(options: SimulatorOptions, post: Post): Promise<void> {
  if (post.revealed) return;
  const { store } = options;
  const account = await store.get<Account>('account', post.accountId);
  const media = await Promise.all(post.mediaIds.map((each) => store.get<Medium>('media', each)));
  await store.put('post-key', post.id, post.key);
  const id = firstId(post);
  const entry = {
    id,
    username: account?.username ?? '',
    text: post.text,
    url: `${options.baseUrl}/${encodeURIComponent(account?.username ?? 'i')}/status/${id}`,
    publishedAt: post.edits?.[0]?.createdAt ?? post.createdAt,
    blobs: media.flatMap((medium) => medium?.blobs ?? []),
    mime: media[0]?.type ?? 'text/plain',
  };
  await publishVideo(options, entry, `x ${post.id}`);
  await update<Post>(store, ['post', post.key], { revealed: true });
}

function refusalOfText(text: string, hasMedia: boolean, account: Account): SimulatorResponse | null {
  if (text === '' && !hasMedia) return invalid('$.text: is missing but it is required');
  const premium = account.subscription === 'Premium' || account.subscription === 'PremiumPlus';
  if (postLength(text) > (premium ? MAX_PREMIUM_WEIGHT : MAX_WEIGHT)) return blank(403, NOT_PERMITTED);
  if ((text.match(CASHTAG) ?? []).length > 1) return blank(403, ONE_CASHTAG);
  const links = text.match(/https?:\/\/\S+/gi) ?? [];
  if (!links.every((link) => URL.canParse(link))) return blank(403, 'The Tweet contains an invalid URL.');
  return null;
}

async function refusalOfMedia(
  options: SimulatorOptions,
  mediaIds: readonly string[],
  { account }: Caller,
): Promise<SimulatorResponse | null> {
  const media = await Promise.all(mediaIds.map((each) => options.store.get<Medium>('media', each)));
  if (!media.every((medium) => medium?.accountId === account.id && isUsable(options, medium)))
    return invalid('Your media IDs are invalid.', { 'media.media_ids': [...mediaIds] });
  if (mediaIds.length > 0 && account.maxVideoMinutes !== null)
    return blank(403, `This user is not allowed to post a video longer than ${account.maxVideoMinutes} minutes.`);
  return null;
}

async function isRepeated(options: SimulatorOptions, account: Account, text: string): Promise<boolean> {
  const posts = await ownedBy<Post>(options, 'post', account.id);
  return posts.some((post) => post.text === text && post.createdAt > options.now() - DAY);
}

/** @param media distinguishes publishes from each other @throws Refused */
function injectFault(options: SimulatorOptions, { account, grantId }: Caller, caption: string, media: string) {
  const requester = { caption, publish: `${account.id} ${media}` };
  return injectRequestedFault(options.store, requester, {
    async reconnect() {
      await endGrant(options, grantId);
      return blank(401);
    },
    reject: () => blank(403, 'This user is not allowed to post a video longer than 0 minutes.'),
    rateLimited: tooMany(options.now()),
    down: blank(503),
  });
}
