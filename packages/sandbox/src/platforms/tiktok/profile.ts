/** Serves user info and creator info, and checks whether an account may post. */
import type { SimulatorOptions } from '../../contract.ts';
import { mediaType } from '../../http/parameters.ts';
import type { Json, JsonObject } from '../../json.ts';
import { lastDay, ownedBy } from '../../store/records.ts';
import { DAY } from '../../time.ts';
import { asCaller } from './caller.ts';
import { type Account, appSettings, avatarUrl } from './records.ts';
import { ok, type Refusal, refuse } from './responses.ts';

/** Fields that each scope allows. */
const FIELDS: Record<string, readonly string[]> = {
  'user.info.basic': ['open_id', 'union_id', 'avatar_url', 'avatar_url_100', 'avatar_large_url', 'display_name'],
  'user.info.profile': ['username', 'bio_description', 'profile_deep_link', 'profile_web_link', 'is_verified'],
  'user.info.stats': ['follower_count', 'following_count', 'likes_count', 'video_count'],
};

/** `GET /v2/user/info/`: the requested fields, if the scopes allow them. */
export const userInfo = asCaller('other', Object.keys(FIELDS), async (options, request, { account, scopes }) => {
  const fields = request.query.get('fields')?.split(',') ?? [];
  const known = Object.values(FIELDS).flat();
  if (fields.length === 0 || !fields.every((field) => known.includes(field)))
    return refuse(options, 'invalid_params', 'The fields are missing or not known.');
  const open = scopes.flatMap((scope) => FIELDS[scope] ?? []);
  const closed = fields.filter((field) => !open.includes(field));
  if (closed.length > 0)
    return refuse(options, 'scope_permission_missed', `More scopes are needed for the fields ${closed.join(', ')}.`);
  const videos = fields.includes('video_count') ? await ownedBy(options, 'video', account.openId) : [];
  const all: Record<string, Json> = { ...profileOf(options, account), video_count: videos.length };
  const user: JsonObject = Object.fromEntries(fields.map((field) => [field, all[field] ?? null]));
  return ok(options, { user });
});

function profileOf(options: SimulatorOptions, account: Account): Record<string, Json> {
  const avatar = avatarUrl(options, account.openId);
  const link = `${options.baseUrl}/@${encodeURIComponent(account.username)}`;
  return {
    open_id: account.openId,
    union_id: account.unionId,
    avatar_url: avatar,
    avatar_url_100: avatar,
    avatar_large_url: avatar,
    display_name: account.displayName,
    username: account.username,
    bio_description: '',
    profile_deep_link: link,
    profile_web_link: link,
    is_verified: false,
    follower_count: 0,
    following_count: 0,
    likes_count: 0,
  };
}

/** Rejects with HTTP 200, unlike all other calls. */
export const creatorInfo = asCaller('creator_info', ['video.publish'], async (options, request, { account }) => {
  if (mediaType(request) !== 'application/json')
    return refuse(options, 'invalid_params', 'The content type must be application/json.');
  const refusal = await postingRefusal(options, account);
  if (refusal) return refuse(options, refusal.code, refusal.message, 200);
  return ok(options, {
    creator_avatar_url: avatarUrl(options, account.openId),
    creator_username: account.username,
    creator_nickname: account.displayName,
    privacy_level_options: [...privacyOptions(account)],
    comment_disabled: account.commentDisabled,
    duet_disabled: account.duetDisabled,
    stitch_disabled: account.stitchDisabled,
    max_video_post_duration_sec: account.maxSeconds,
  });
});

export function privacyOptions(account: Account): readonly string[] {
  return [account.private ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'];
}

const POSTS_A_DAY = 15;
const CREATORS_OF_UNAUDITED_CLIENT = 5;

export async function postingRefusal(options: SimulatorOptions, account: Account): Promise<Refusal | null> {
  if (account.banned)
    return { code: 'spam_risk_user_banned_from_posting', message: 'The user is banned from making new posts.' };
  if (options.limits && lastDay(account.posts, options.now()).length >= POSTS_A_DAY)
    return { code: 'spam_risk_too_many_posts', message: 'The daily post cap from the API is reached for this user.' };
  const app = await appSettings(options);
  const cap = app.audited ? app.activeUserCap : CREATORS_OF_UNAUDITED_CLIENT;
  if (cap !== null) {
    const creators = await options.store.list<number>('active', { limit: 10_000 });
    const active = creators.filter(({ value }) => value > options.now() - DAY).map(({ key }) => key);
    if (active.length >= cap && !active.includes(account.openId))
      return { code: 'reached_active_user_cap', message: 'The daily quota for active publishing users is reached.' };
  }
  return null;
}
