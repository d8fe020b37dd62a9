/** Puts reposts below the post that they repost. Pure. */
import type { FoundPost, PostPage } from '@reelay/sdk';
import { lookOf } from './target-look.ts';

/** A row of the list. */
export interface PostRow {
  entry: FoundPost;
  /** Among all loaded entries. */
  index: number;
  /** Its reposts, also those of reposts, newest first. */
  reposts: readonly FoundPost[];
}

/**
 * The rows of the list. A repost is folded if its post is on the same page, so that no row moves when another page is
 * loaded. One that needs attention has a row of its own.
 */
export function foldReposts(pages: readonly Pick<PostPage, 'data'>[]): PostRow[] {
  const rows: PostRow[] = [];
  let before = 0;
  for (const { data } of pages) {
    const byId = new Map(data.map((entry) => [entry.id, entry]));
    const placed = data.map((entry) => ({ entry, under: rootOf(entry, byId) }));
    const folded = Map.groupBy(placed, ({ under }) => under);
    for (const [at, { entry, under }] of placed.entries())
      if (under === entry.id) {
        const reposts = (folded.get(entry.id) ?? []).flatMap((each) => (each.entry === entry ? [] : [each.entry]));
        rows.push({ entry, index: before + at, reposts });
      }
    before += data.length;
  }
  return rows;
}

/** The id of the post below which an entry is shown, which may be itself. A repost is newer than its post, so this ends. */
function rootOf(entry: FoundPost, page: ReadonlyMap<string, FoundPost>): string {
  let root = entry;
  for (let source = sourceOf(root, page); source; source = sourceOf(root, page)) root = source;
  return root.id;
}

function sourceOf(entry: FoundPost, page: ReadonlyMap<string, FoundPost>): FoundPost | undefined {
  return entry.repostOf === undefined || needsAttention(entry) ? undefined : page.get(entry.repostOf);
}

const ATTENTION: readonly string[] = ['FAILED', 'UNKNOWN', 'RETRYING'];

const needsAttention = ({ result }: FoundPost) => result.some((target) => ATTENTION.includes(lookOf(target, false)));
