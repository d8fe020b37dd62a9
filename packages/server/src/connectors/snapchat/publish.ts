/**
 * Up to the irreversible call: make media, send the parts, finalize, and read the list, so that a spotlight which shows
 * up later can be told from one that was there.
 */
import type { JsonObject, StepResult, Work } from '../contract.ts';
import { PlatformError } from '../kit/failure.ts';
import { textAt } from '../kit/json.ts';
import { type Progress, progressOf } from './checkpoint.ts';
import { partCount } from './parts.ts';
import { cameSince, earliestOf, type Listed, listSpotlights, saysTheSame } from './spotlights.ts';
import { addPart, create, finalize, restart } from './upload.ts';

/** Media can be used for a day; an hour is left for what is still to come, ms. */
const MEDIA_LIFE_MS = 23 * 3_600_000;
/** A video that cannot be posted so long after it was finalized is sent anew, ms. */
const PROCESSING_FOR_MS = 600_000;

export async function begin(work: Work): Promise<StepResult> {
  return create(work, progressOf(null));
}

export async function step(work: Work, checkpoint: JsonObject): Promise<StepResult> {
  const { session, media } = work;
  const known = progressOf(checkpoint);
  // A spotlight was sent from here and was not made. The list is looked at again before another is sent.
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

/** Before the first send: what is there with our words. Before another: whether something has come to it. */
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
  // The same that `verify` goes by: once it says "not posted", nothing is found here either.
  if (progress.sentAt > 0 && cameSince(alike, earliestOf(progress.sentAt, listed), progress.seen).length > 0)
    return { then: 'look', checkpoint: { ...progress }, note: 'Something that could be this post appeared meanwhile.' };
  const seen = progress.sentAt > 0 ? progress.seen : alike.map((each) => textAt(each, 'id'));
  return { then: 'continue', checkpoint: { ...progress, looked: true, seen }, note: 'The list was read.' };
}
