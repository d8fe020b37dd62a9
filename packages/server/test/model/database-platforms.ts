/** What the model knows of each simulated platform: its list, its audiences, and which request makes a post. */

import type { SimulatorResponse } from '@reelay/sandbox/contract.ts';
import { MINUTE } from '../../src/lib/time.ts';
import type { ModelPlatform } from './database-world.ts';
import type { PostList } from './reference/facts.ts';

export interface PlatformTraits {
  list: Omit<PostList, 'visibleAfterMs' | 'cutTextAt'>;
  cutTextAt: number | null;
  /** In code points. */
  captionLimit: number;
  /** The option of a post that sets its audience; null: every post is public. */
  audience: { option: string; isChoice: boolean; open: string; limited: string } | null;
  /** Whether a request makes a post. */
  isSend(request: Requested): boolean;
  /** A request of each send that can be rejected, and how: so that nothing appears. */
  rejection: { isAt(request: Requested): boolean; response: SimulatorResponse };
  /** Whether a request can find out whether a send made a post. */
  isVerification(request: Requested): boolean;
  /** Whether the list can be read while sends cannot be verified. */
  isListed?: true;
  /** Takes a post off the platform, or brings it back: the changes of its record. */
  toggle: { kind: string; change(isThere: boolean): Record<string, unknown> } | null;
  /** Where the simulator keeps the audience of a post. */
  stored: { kind: string; path: readonly string[] } | null;
}

interface Requested {
  method: string;
  path: string;
}

/** Far in the future. */
const NEVER = 32_503_680_000_000;

/** Members of LinkedIn, whose posts nobody can list, have names with a prefix. */
export const usernameOf = (platform: string, name: string) => (platform === 'linkedin' ? `in/${name}` : name);

const isStatuses = (path: string) => path === '/api/v1/statuses';
const isRecord = (path: string) => path.endsWith('com.atproto.repo.createRecord');
const request = (method: string, path: string) => (given: Requested) => given.method === method && given.path === path;

const files = { mode: 'files', durations: 'exact', times: 'seconds', showsLimited: true, chargesReads: false } as const;

export const TRAITS: Readonly<Record<string, PlatformTraits>> = {
  mastodon: {
    list: files,
    cutTextAt: null,
    captionLimit: 500,
    audience: { option: 'visibility', isChoice: false, open: 'public', limited: 'private' },
    isSend: ({ method, path }) => method === 'POST' && isStatuses(path),
    rejection: {
      isAt: ({ method, path }) => method === 'POST' && isStatuses(path),
      response: { status: 403, body: { error: 'The model refuses it' } },
    },
    isVerification: ({ method, path }) =>
      method === 'GET' && /^\/api\/v1\/(statuses|accounts\/\d+\/statuses)/.test(path),
    toggle: {
      kind: 'status',
      change: (isThere) => ({ listedFrom: isThere ? 0 : NEVER, hiddenUntil: isThere ? 0 : NEVER }),
    },
    stored: { kind: 'status', path: ['visibility'] },
  },
  bluesky: {
    list: { ...files, durations: 'none', times: 'exact' },
    cutTextAt: null,
    captionLimit: 300,
    audience: null,
    isSend: ({ path }) => isRecord(path),
    rejection: {
      isAt: ({ path }) => isRecord(path),
      response: { status: 400, body: { error: 'InvalidRequest', message: 'The model refuses it' } },
    },
    isVerification: ({ path }) => /com\.atproto\.repo\.(getRecord|listRecords)$/.test(path),
    toggle: { kind: 'record', change: (isThere) => ({ visibleAt: isThere ? 0 : NEVER }) },
    stored: null,
  },
  tiktok: {
    list: { ...files, mode: 'announce', durations: 'seconds', showsLimited: false },
    cutTextAt: 150,
    captionLimit: 2_200,
    audience: { option: 'privacy', isChoice: true, open: 'PUBLIC_TO_EVERYONE', limited: 'SELF_ONLY' },
    isSend: request('PUT', '/video/'),
    rejection: {
      isAt: request('POST', '/v2/post/publish/video/init/'),
      response: { status: 400, body: { data: {}, error: { code: 'invalid_params', message: 'The model refuses it' } } },
    },
    isVerification: ({ path }) => path === '/v2/post/publish/status/fetch/' || path === '/v2/video/list/',
    toggle: { kind: 'video', change: (isThere) => ({ visibleAt: isThere ? 0 : NEVER }) },
    stored: { kind: 'video', path: ['privacy'] },
  },
  youtube: {
    list: { ...files, mode: 'announce', durations: 'seconds' },
    cutTextAt: null,
    captionLimit: 5_000,
    audience: { option: 'privacy', isChoice: true, open: 'public', limited: 'private' },
    isSend: request('PUT', '/upload/youtube/v3/videos'),
    rejection: {
      isAt: request('POST', '/upload/youtube/v3/videos'),
      response: {
        status: 400,
        body: { error: { code: 400, message: 'Bad Request', errors: [{ reason: 'invalidTags', message: 'Tags' }] } },
      },
    },
    isVerification: request('PUT', '/upload/youtube/v3/videos'),
    isListed: true,
    toggle: { kind: 'video', change: (isThere) => ({ deleted: !isThere }) },
    stored: { kind: 'video', path: ['metadata', 'privacyStatus'] },
  },
  linkedin: {
    list: { ...files, mode: 'own' },
    cutTextAt: null,
    captionLimit: 3_000,
    audience: { option: 'visibility', isChoice: false, open: 'PUBLIC', limited: 'CONNECTIONS' },
    isSend: request('POST', '/rest/posts'),
    rejection: {
      isAt: request('POST', '/rest/posts'),
      response: { status: 422, body: { status: 422, code: 'INVALID_VALUE', message: 'The model refuses it' } },
    },
    isVerification: ({ method, path }) => method === 'GET' && path.startsWith('/rest/posts'),
    toggle: null,
    stored: { kind: 'post', path: ['visibility'] },
  },
};

export function traitsOf(platform: string): PlatformTraits {
  const traits = TRAITS[platform];
  if (!traits) throw new Error(`The model does not know ${platform}.`);
  return traits;
}

type Stored = Record<string, unknown>;

/** The audience that the platform stored; null if it has none. */
export async function readAudience({ store }: ModelPlatform, platform: string, id: string): Promise<string | null> {
  const { stored } = traitsOf(platform);
  if (!stored) return null;
  let value: unknown = await store.get<Stored>(stored.kind, id);
  for (const key of stored.path) value = (value as Stored | undefined)?.[key];
  return typeof value === 'string' ? value : null;
}

/** Changes the audience on the platform itself. @returns whether it has one */
export async function setAudience(
  { store }: ModelPlatform,
  { platform, id, isPublic }: { platform: string; id: string; isPublic: boolean },
): Promise<boolean> {
  const { stored, audience } = traitsOf(platform);
  if (!stored || !audience) return false;
  const value = isPublic ? audience.open : audience.limited;
  const changed = await store.change<Stored>(stored.kind, id, (record) => {
    if (!record) return undefined;
    const [first = '', second] = stored.path;
    return { ...record, [first]: second === undefined ? value : { ...(record[first] as Stored), [second]: value } };
  });
  return changed !== undefined;
}

/** Takes a post off its platform or brings it back, without the platform's own functions. @returns whether it can */
export async function togglePost(
  { store }: ModelPlatform,
  { platform, id, isThere }: { platform: string; id: string; isThere: boolean },
): Promise<boolean> {
  const { toggle } = traitsOf(platform);
  if (!toggle) return false;
  const changed = await store.change<Stored>(toggle.kind, id, (record) =>
    record ? { ...record, ...toggle.change(isThere) } : undefined,
  );
  return changed !== undefined;
}

/** Upper bound for one step of the service: a send is verified, and a worker that died loses its lease. */
export const PROCESSING_MS = 20 * MINUTE;
