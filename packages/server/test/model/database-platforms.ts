/** What the model knows of each simulated platform: its list, its audiences, and which request makes a post. */

import { MINUTE } from '../../src/time.ts';
import type { ModelPlatform } from './database-world.ts';
import type { PostList } from './reference/facts.ts';

export interface PlatformTraits {
  list: Omit<PostList, 'visibleAfterMs' | 'cutTextAt'>;
  cutTextAt: number | null;
  /** In code points. */
  captionLimit: number;
  /** The option of a post that sets its audience; null: every post is public. */
  audience: { option: string; isChoice: boolean; open: string; limited: string } | null;
  /** Whether a request makes a post; null: no faults are injected into sends. */
  isSend: ((request: { method: string; path: string }) => boolean) | null;
  /** Where the simulator keeps the audience of a post. */
  stored: { kind: string; path: readonly string[] } | null;
}

const files = { mode: 'files', durations: 'exact', times: 'seconds', showsLimited: true, chargesReads: false } as const;

export const TRAITS: Readonly<Record<string, PlatformTraits>> = {
  mastodon: {
    list: files,
    cutTextAt: null,
    captionLimit: 500,
    audience: { option: 'visibility', isChoice: false, open: 'public', limited: 'private' },
    isSend: ({ method, path }) => method === 'POST' && path === '/api/v1/statuses',
    stored: { kind: 'status', path: ['visibility'] },
  },
  bluesky: {
    list: { ...files, durations: 'none', times: 'exact' },
    cutTextAt: null,
    captionLimit: 300,
    audience: null,
    isSend: ({ method, path }) => method === 'POST' && path.endsWith('com.atproto.repo.createRecord'),
    stored: null,
  },
  tiktok: {
    list: { ...files, mode: 'announce', durations: 'seconds', showsLimited: false },
    cutTextAt: 150,
    captionLimit: 2_200,
    audience: { option: 'privacy', isChoice: true, open: 'PUBLIC_TO_EVERYONE', limited: 'SELF_ONLY' },
    isSend: null,
    stored: { kind: 'video', path: ['privacy'] },
  },
  youtube: {
    list: { ...files, mode: 'announce', durations: 'seconds' },
    cutTextAt: null,
    captionLimit: 5_000,
    audience: { option: 'privacy', isChoice: true, open: 'public', limited: 'private' },
    isSend: null,
    stored: { kind: 'video', path: ['metadata', 'privacyStatus'] },
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

/** Upper bound for one step of the service: a send is verified, and a worker that died loses its lease. */
export const PROCESSING_MS = 20 * MINUTE;
