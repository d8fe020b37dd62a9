/** Platforms in memory. They round times, list posts late and page by page, and let owners edit and delete. */
import type { WatchedPost, WatchFlow } from '../../src/connectors/contract.ts';
import { SECOND } from '../../src/time.ts';
import { publishedAt } from '../../src/watching/moments.ts';
import type { Appearance } from './facts.ts';
import type { Place } from './history.ts';
import { DURATION_MS } from './pure-content.ts';

/** A post on a platform. */
export interface Item extends Omit<Appearance, 'at' | 'texts'> {
  remoteId: string;
  text: string;
  /** Before it was edited. */
  oldTexts: string[];
  /** As the platform tells it. */
  at: number;
  /** Time of the send; the claimed time of a phone. */
  notBefore: number;
  /** The target that was sent; null for others. */
  targetId: number | null;
  /** Whether verification cannot find it. */
  isBlind: boolean;
}

interface Kind {
  /** Precision of times, in ms. */
  precision: number;
  pageSize: number;
  /** `cursor`: pages continue after an item. `offset`: they move when posts come and go. `log`: only what is new. */
  pages: 'cursor' | 'offset' | 'log';
}

const KINDS: readonly Kind[] = [
  { precision: 1, pageSize: 2, pages: 'cursor' },
  { precision: SECOND, pageSize: 3, pages: 'cursor' },
  { precision: SECOND, pageSize: 2, pages: 'log' },
  { precision: 1, pageSize: 2, pages: 'offset' },
];

export class PurePlatforms {
  readonly items: Item[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  publish(
    post: Pick<Item, 'on' | 'content' | 'by' | 'isRepost' | 'text' | 'isPublic' | 'targetId' | 'isBlind'>,
    { at, hidden = 0, notBefore = at }: { at: number; hidden?: number | undefined; notBefore?: number },
  ): Item {
    const { precision } = kindOf(post.on);
    const shown = Math.floor(at / precision) * precision;
    // Some platforms draw ids at random.
    const remoteId = `${(this.items.length * 7_919) % 1_000}-${this.items.length}`;
    const visibleAt = this.#now() + hidden;
    const item = { ...post, remoteId, at: shown, notBefore, visibleAt, removedAt: null, knownAt: null, oldTexts: [] };
    this.items.push(item);
    return item;
  }

  find(place: Place, remoteId: string): Item | undefined {
    return this.items.find((item) => item.on === place && item.remoteId === remoteId);
  }

  isListed = (item: Item) => item.visibleAt <= this.#now() && item.removedAt === null;

  /** Position in a log of what became visible. */
  #entry = (item: Item) => item.visibleAt * 1_000 + this.items.indexOf(item);

  /** @param gate awaited after each page */
  watch(place: Place, gate: () => Promise<void>): WatchFlow {
    const { pageSize, pages } = kindOf(place);
    return {
      list: async (_session, { cursor, mark }) => {
        const all = this.items.filter((item) => item.on === place && this.isListed(item));
        const byTime = all.toSorted((a, b) => b.at - a.at || (a.remoteId < b.remoteId ? -1 : 1));
        const log = all.toSorted((a, b) => this.#entry(a) - this.#entry(b));
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

const kindOf = (place: Place): Kind => KINDS[place % KINDS.length] as Kind;

/** Sorts as the list does. */
const keyOf = ({ at, remoteId }: Item) => `${String(1e15 - at).padStart(16, '0')} ${remoteId}`;

const found = ({ remoteId, at, text, isPublic }: Item): WatchedPost => ({
  ...{ remoteId, text, isPublic, publishedAt: at, durationMs: DURATION_MS },
  ...{ url: null, width: null, height: null, file: {} },
});

/** What the model sees of a post. */
export function appearanceOf(item: Item): Appearance {
  const { content, on, by, isRepost, isPublic, visibleAt, removedAt, knownAt, at, notBefore } = item;
  const max = Math.max(at, publishedAt(at, Number.POSITIVE_INFINITY));
  const texts = [item.text, ...item.oldTexts];
  return {
    content,
    on,
    by,
    isRepost,
    texts,
    isPublic,
    visibleAt,
    removedAt,
    knownAt,
    at: { min: Math.min(notBefore, at), max },
  };
}
