/**
 * Steps before the irreversible request: create the media, send its parts, finalize it, and read the list of
 * spotlights. The snapshot of the list tells a new spotlight from an existing one.
 */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { type Progress, progressOf } from './checkpoint.ts';
import { partCount } from './parts.ts';
import { cameSince, earliestOf, type Listed, listSpotlights, saysTheSame } from './spotlights.ts';
import { addPart, create, finalize, restart } from './upload.ts';

/** Media is usable for one day. One hour is reserved for the remaining steps. In ms. */
const MEDIA_LIFE_MS = 23 * 3_600_000;
/** How long in ms after finalizing a video that cannot be posted is kept before it is uploaded again. */
const PROCESSING_FOR_MS = 600_000;

export async function begin(work: Work): Promise<StepResult> {
  return create(work, progressOf(null));
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const { session, media } = work;
  const known = progressOf(checkpoint);
  // A send from this checkpoint created no spotlight. Read the list again before the next send.
  const progress = known.armed ? { ...known, armed: false, looked: false } : known;
  if (progress.mediaId === '' || progress.sha256 !== media.sha256) return create(work, progress);
  const age = session.now() - progress.createdAt;
  const stuck = known.armed && session.now() - progress.finalizedAt > PROCESSING_FOR_MS;
  if (age > MEDIA_LIFE_MS || stuck) return restart(progress, 'The upload is too old to be posted.');
  if (progress.parts < partCount(media.bytes)) return addPart(work, progress);
  if (progress.finalizedAt === 0) return finalize(work, progress);
  if (!progress.looked) return look(work, progress);
  const sentAt = progress.sentAt || session.now();
  return { then: 'commit', checkpoint: { ...progress, armed: true, sentAt }, note: 'Posting to Spotlight.' };
}

/**
 * Reads the list of spotlights. Before the first send, records the existing ones with our text. Before a resend, checks
 * for new ones.
 */
async function look({ session, post }: Work, progress: Progress): Promise<StepResult> {
  let listed: Listed;
  try {
    listed = await listSpotlights(session);
  } catch (error) {
    if (!(error instanceof PlatformError) || !['setup', 'rejected'].includes(error.failure.kind)) throw error;
    const note = 'Snapchat does not let the list be read; a lost answer could not be looked into.';
    return { then: 'continue', checkpoint: { ...progress, looked: true }, note };
  }
  const alike = listed.spotlights.filter((each) => saysTheSame(each, post) !== false);
  // Uses the same filter as `verify`: after `notPosted`, nothing is found here either.
  if (progress.sentAt > 0 && cameSince(alike, earliestOf(progress.sentAt, listed), progress.seen).length > 0)
    return { then: 'look', checkpoint: { ...progress }, note: 'Something that could be this post appeared meanwhile.' };
  const seen = progress.sentAt > 0 ? progress.seen : alike.map((each) => textAt(each, 'id'));
  return { then: 'continue', checkpoint: { ...progress, looked: true, seen }, note: 'The list was read.' };
}
