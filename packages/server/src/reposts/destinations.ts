/** Finds the destinations that some content has not reached, by any path. */
import type { WatchedPost } from '../connectors/contract.ts';
import type { Transaction } from '../db/database.ts';
import { DAY } from '../lib/time.ts';
import { type ContentForm, compareContent } from '../lineage/content.ts';
import { type ContentItem, findCandidates } from '../lineage/copies.ts';
import { couldBe } from '../lineage/match.ts';
import { JoinNeeded, joinOrigins } from '../lineage/origins.ts';
import { isInLedger, placeElsewhere } from '../lineage/placement.ts';
import { readUnproven } from '../watching/found-post-store.ts';
import type { Found } from './content-store.ts';
import type { Content } from './decide.ts';
import { type Destination, type FiringRow, openDestinations } from './firing-store.ts';

export interface Destinations {
  /** The content's origin now: that of its first copy if it has one. */
  originId: string;
  open: Destination[];
  /** Destinations that turned out to have a copy. */
  copies: Destination[];
  /** Whether only the length of the video can tell if a destination has a copy. */
  needsLength: boolean;
}

/** What is known of content that is looked for on accounts. */
export interface Known extends Pick<Found, 'originId' | 'form'> {
  content: Pick<Content, 'file' | 'withoutFile'>;
}

/** What accounts show, by account id. */
export type Shown = ReadonlyMap<string, readonly WatchedPost[]>;

export interface Looking {
  /** What the destinations show; null: not known yet. */
  shown: Shown | null;
  /** ms since the epoch */
  now: number;
  /** Whether the origins are held alone. */
  canJoin: boolean;
}

/**
 * Reads the destinations of a firing, with their lanes locked. A copy on one of them makes both posts one content. A post
 * that only may be a copy closes its destination for this firing and changes nothing else: it may be another video.
 * @throws JoinNeeded
 */
export async function findDestinations(
  tx: Transaction,
  row: FiringRow,
  found: Known,
  { shown, now, canJoin }: Looking,
): Promise<Destinations> {
  const { form, content } = found;
  const copies: Destination[] = [];
  const guessed = new Set<string>();
  const guess = (destinations: readonly Destination[]) => {
    copies.push(...destinations);
    for (const { identityId } of destinations) guessed.add(identityId);
  };
  let originId = found.originId;
  // Each turn closes a destination.
  for (;;) {
    const reached = await openDestinations(tx, row.rule_id, originId);
    const open = reached.filter(({ identityId }) => !guessed.has(identityId));
    if (row.by_hand || !form) return { originId, open, copies, needsLength: false };
    const item = { ...form, originId, isOld: row.is_catalog };
    const seen = await findShownCopies(tx, { item, open, shown, content, now });
    if (seen.copies.length > 0) {
      copies.push(...seen.copies);
      continue;
    }
    if (seen.guesses.length > 0) {
      guess(seen.guesses);
      continue;
    }
    const judged = (
      await findCandidates(
        tx,
        item,
        open.map(({ identityId }) => identityId),
      )
    ).map((each) => ({ each, verdict: verdictOf(item, each, content, now) }));
    const copy = judged.find(({ verdict }) => verdict === 'copy')?.each;
    const needsLength = seen.needsLength || judged.some(({ verdict }) => verdict === 'needsLength');
    const at = (identityId: string) => open.filter((destination) => destination.identityId === identityId);
    const maybe = judged.find(({ verdict }) => verdict === 'maybe')?.each;
    if (copy) {
      if (!canJoin) throw new JoinNeeded();
      copies.push(...at(copy.identityId));
      await joinOrigins(tx, originId, copy.originId);
      originId = copy.originId;
    } else if (maybe) guess(at(maybe.identityId));
    else return { originId, open, copies, needsLength };
  }
}

interface Look {
  item: ContentItem;
  open: readonly Destination[];
  shown: Shown | null;
  content: Known['content'];
  now: number;
}

/** Copies that the platforms show and the ledger does not have. They are added to it. */
async function findShownCopies(tx: Transaction, { item, open, shown, content, now }: Look) {
  const copies: Destination[] = [];
  const guesses: Destination[] = [];
  let needsLength = false;
  for (const destination of open) {
    for (const post of shown?.get(destination.accountId) ?? []) {
      const publishedAt = post.publishedAt ?? item.at;
      // The list shows the text of a repost, which a template may have changed. It was compared when it was read.
      const other = { text: item.text, durationMs: post.durationMs, isMeasured: false };
      const verdict = verdictOf(item, other, content, now);
      if (verdict === 'different' || (await isKnown(tx, destination, { ...post, publishedAt }))) continue;
      if (verdict === 'needsLength') {
        needsLength = true;
        continue;
      }
      if (verdict === 'maybe') {
        guesses.push(destination);
        break;
      }
      const { remoteId, text, durationMs } = post;
      await placeElsewhere(tx, {
        ...{ originId: item.originId, identityId: destination.identityId, remoteId, text, durationMs },
        ...{ isMeasured: false, isUnclear: false, publishedAt: new Date(publishedAt) },
      });
      copies.push(destination);
      break;
    }
  }
  return { copies, guesses, needsLength };
}

/** Whether the ledger has a shown post, or a send of ours may have made it. */
async function isKnown(
  tx: Transaction,
  { identityId }: Destination,
  post: Pick<WatchedPost, 'remoteId' | 'text' | 'durationMs'> & { publishedAt: number },
): Promise<boolean> {
  if (await isInLedger(tx, identityId, post.remoteId)) return true;
  return (await readUnproven(tx, identityId, new Date(post.publishedAt))).some((target) =>
    couldBe({ ...post, foundAt: null }, target),
  );
}

/** How long a requested video is waited for to learn its length, in ms. */
const LENGTH_WITHIN_MS = DAY;

/** Judges a post with the same text. What cannot be measured may be a copy. Pure. @param now ms since the epoch */
export function verdictOf(
  item: ContentForm,
  other: ContentForm,
  { file, withoutFile }: Known['content'],
  now: number,
): 'copy' | 'maybe' | 'different' | 'needsLength' {
  const likeness = compareContent(item, other);
  if (likeness !== 'unclear') return likeness === 'same' ? 'copy' : 'different';
  const canBeHad =
    file.state === 'wanted' ? now - file.since < LENGTH_WITHIN_MS : file.state === 'none' && !withoutFile;
  const isUseful = !item.isMeasured && other.durationMs !== null;
  return isUseful && canBeHad ? 'needsLength' : 'maybe';
}
