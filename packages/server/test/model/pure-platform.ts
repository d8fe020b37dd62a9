/** Platforms in memory. They round times, list posts late and page by page, and let owners edit and delete. */
import type { WatchedPost, WatchFlow } from '../../src/connectors/contract.ts';
import { SECOND } from '../../src/lib/time.ts';
import { publishedAt } from '../../src/watching/post-times.ts';
import type { Appearance } from './facts.ts';
import type { Place } from './history.ts';

/** A post on a platform. */
export interface Item extends Omit<Appearance, 'at' | 'texts'> {
  remoteId: string;
  text: string;
  /** Before it was edited. */
  oldTexts: string[];
  /** Length of the video. */
  lengthMs: number;
  /** As the platform tells it. */
  at: number;
  /** Time of the send; the claimed time of a phone. */
  notBefore: number;
  /** The target that was sent; null for others. */
  targetId: number | null;
  /** Whether verification cannot find it. */
  isBlind: boolean;
  /** Whether a complete check listed it, and how many complete ones in a row have missed it since. */
  isListed: boolean;
  misses: number;
}

/** The fields of an item that its author decides. */
export type NewItem = Pick<
  Item,
  'on' | 'content' | 'by' | 'isRepost' | 'text' | 'isPublic' | 'targetId' | 'isBlind' | 'lengthMs'
>;

interface Kind {
  /** Precision of times, in ms. */
  precision: number;
  pageSize: number;
  /** `cursor`: pages continue after an item. `offset`: they move when posts come and go. `log`: only what is new. */
  pages: 'cursor' | 'offset' | 'log';
  lengths: 'exact' | 'seconds' | 'none';
  /** Begins the id in a response to a send. Lists show it without this. */
  prefix?: string;
}

const KINDS: readonly Kind[] = [
  { precision: 1, pageSize: 2, pages: 'cursor', lengths: 'exact' },
  { precision: SECOND, pageSize: 3, pages: 'cursor', lengths: 'seconds' },
  { precision: SECOND, pageSize: 2, pages: 'log', lengths: 'none' },
  { precision: 1, pageSize: 2, pages: 'offset', lengths: 'exact', prefix: 'urn:' },
];

export class PurePlatforms {
  readonly items: Item[] = [];
  /** Where what is posted to a place is shared, by place. */
  readonly shares = new Map<Place, Place>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  publish(
    post: NewItem,
    { at, hidden = 0, notBefore = at }: { at: number; hidden?: number | undefined; notBefore?: number },
  ): Item {
    const { precision } = kindOf(post.on);
    const item = {
      ...post,
      // Some platforms draw ids at random.
      remoteId: `${(this.items.length * 7_919) % 1_000}-${this.items.length}`,
      at: Math.floor(at / precision) * precision,
      ...{ notBefore, visibleAt: this.#now() + hidden, removedAt: null, knownAt: null, oldTexts: [] },
      ...{ isListed: false, misses: 0 },
    };
    this.items.push(item);
    return item;
  }

  /** The id of an item as the response to its send has it. */
  sentId = ({ on, remoteId }: Item) => `${kindOf(on).prefix ?? ''}${remoteId}`;

  find(place: Place, remoteId: string): Item | undefined {
    return this.items.find((item) => item.on === place && item.remoteId === remoteId);
  }

  isListed = (item: Item) => item.visibleAt <= this.#now() && item.removedAt === null;

  /** Position in a log of what became visible. */
  #entry = (item: Item) => item.visibleAt * 1_000 + this.items.indexOf(item);

  /** Notes which items a complete check of a place listed. */
  noteCheck(
    place: Place,
    { since, startedAt, listed }: { since: number; startedAt: number; listed: Set<string> },
  ): void {
    for (const item of this.items) {
      if (item.on !== place) continue;
      if (listed.has(item.remoteId)) noteListed(item);
      else if (item.isListed && item.at > since && item.removedAt !== null && item.removedAt < startedAt) {
        item.misses++;
        if (item.misses === 2) item.missedAt = this.#now();
      }
    }
  }

  /** Notes which items of a place its user saw. */
  noteSeen(place: Place, posts: readonly WatchedPost[]): void {
    for (const { remoteId } of posts) {
      const item = this.find(place, remoteId);
      if (item?.isListed) noteListed(item);
    }
  }

  /** The first pages of a place. None if its list tells only what is new. */
  newest(place: Place, count = 1): WatchedPost[] {
    const { pageSize, pages } = kindOf(place);
    return pages === 'log'
      ? []
      : this.#byTime(place)
          .slice(0, pageSize * count)
          .map(found);
  }

  #byTime = (place: Place) =>
    this.items
      .filter((item) => item.on === place && this.isListed(item))
      .sort((a, b) => b.at - a.at || (a.remoteId < b.remoteId ? -1 : 1));

  /** @param gate awaited after each page */
  watch(place: Place, gate: () => Promise<void>): WatchFlow {
    const { pageSize, pages } = kindOf(place);
    return {
      list: async (_session, { cursor, mark }) => {
        const byTime = this.#byTime(place);
        const log = byTime.toSorted((a, b) => this.#entry(a) - this.#entry(b));
        const after = Number(cursor || (mark?.after ?? -1));
        const rest =
          pages === 'log'
            ? log.filter((item) => this.#entry(item) > after)
            : pages === 'offset'
              ? byTime.slice(Number(cursor))
              : byTime.filter((item) => cursor === '' || keyOf(item) > cursor);
        const page = rest.slice(0, pageSize);
        const last = page.at(-1);
        const end = pages === 'log' ? (last ? this.#entry(last) : after) : Number(cursor) + page.length;
        await gate();
        const next = rest.length <= page.length ? '' : pages === 'cursor' && last ? keyOf(last) : String(end);
        return { posts: page.map(found), next, ...(pages === 'log' && { mark: { after: end } }) };
      },
    };
  }
}

const noteListed = (item: Item) => Object.assign(item, { isListed: true, misses: 0, missedAt: null });

const kindOf = (place: Place): Kind => KINDS[place % KINDS.length] as Kind;

/** Sorts as the list does. */
const keyOf = ({ at, remoteId }: Item) => `${String(1e15 - at).padStart(16, '0')} ${remoteId}`;

const found = ({ remoteId, at, text, isPublic, lengthMs, on }: Item): WatchedPost => ({
  ...{ remoteId, text, isPublic, publishedAt: at, durationMs: listedLength(on, lengthMs) },
  ...{ url: null, width: null, height: null, file: {} },
});

function listedLength(on: Place, lengthMs: number): number | null {
  const { lengths } = kindOf(on);
  return lengths === 'none' ? null : lengths === 'exact' ? lengthMs : Math.floor(lengthMs / SECOND) * SECOND;
}

/** What everybody knows of platforms. */
export const LISTS = KINDS.map(({ pageSize, pages, lengths }) => ({ newest: pages === 'log' ? 0 : pageSize, lengths }));

/** What the model sees of a post. */
export function appearanceOf(item: Item): Appearance {
  const { content, on, by, isRepost, isPublic, visibleAt, removedAt, knownAt, at, notBefore, lengthMs } = item;
  const max = Math.max(at, publishedAt(at, Number.POSITIVE_INFINITY));
  const { isMixed = false, missedAt, wasAway } = item;
  return {
    ...{
      content,
      on,
      by,
      isRepost,
      isPublic: isPublic || isMixed,
      isMixed,
      visibleAt,
      removedAt,
      knownAt,
      lengthMs,
      missedAt,
      wasAway,
    },
    texts: [item.text, ...item.oldTexts],
    at: { min: Math.min(notBefore, at), max },
  };
}
