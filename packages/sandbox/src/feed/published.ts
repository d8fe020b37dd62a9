/** The published posts of all simulated platforms, as shown in the feed. */
import type { PublishedEntry } from '../contract.ts';
import type { SandboxStore } from '../store/store.ts';

export interface FeedEntry extends PublishedEntry {
  platform: string;
}

export interface PublishedSource {
  /** In order of publication. */
  all(): Promise<FeedEntry[]>;
  /** The entry with this id; the latest if there are several. */
  find(platform: string, id: string): Promise<FeedEntry | null>;
}

/** Reads simulator stores by platform, of any kind. */
export function publishedInStores(store: Readonly<Record<string, SandboxStore>>): PublishedSource {
  const all = async () => {
    const entries = await Promise.all(
      Object.entries(store).map(async ([platform, each]) =>
        (await each.published()).map((entry): FeedEntry => ({ ...entry, platform })),
      ),
    );
    return entries.flat().sort((a, b) => a.publishedAt - b.publishedAt);
  };
  return {
    all,
    find: async (platform, id) =>
      (await all()).findLast((entry) => entry.platform === platform && entry.id === id) ?? null,
  };
}
