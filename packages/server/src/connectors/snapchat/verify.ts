/**
 * Whether a send without proof has made a spotlight. Nothing in the list names the media or the call, so it is known by
 * its words and by not having been there before the send. Words that say nothing prove nothing, nor do two that fit; a
 * list that cannot be read leaves the outcome unknown.
 */
import type { Fingerprint, JsonObject, VerifyResult, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { progressOf } from './checkpoint.ts';
import { afterReview, reviewed } from './commit.ts';
import { cameSince, earliestOf, isTelling, listSpotlights, reachesBack, saysTheSame } from './spotlights.ts';

/** @throws PlatformError where the look fails */
export async function verify(
  { session }: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const progress = progressOf(checkpoint);
  // An earlier send that was believed to have done nothing may have been late.
  const listed = await listSpotlights(session);
  const since = earliestOf(progress.sentAt || fingerprint.committedAt, listed);
  const fresh = cameSince(listed.spotlights, since, progress.seen);
  if (fresh.some((each) => saysTheSame(each, fingerprint) === null))
    return unknown('Snapchat shows a new video without its words.');
  const alike = fresh.filter((each) => saysTheSame(each, fingerprint));
  if (alike.length > 0 && !isTelling(fingerprint.text))
    return unknown('Snapchat shows a new video, and there are no words to know it by.');
  if (alike.length > 0 && !progress.seen && listed.aheadMs === null)
    return unknown('Snapchat shows a video that could be this one, and does not say when it answered.');
  if (alike.length > 1) return unknown('Snapchat shows several videos that could be this one.');
  const spotlightId = textAt(alike[0], 'id');
  if (spotlightId)
    return (
      afterReview(session, alike[0]) ??
      reviewed(session.sandbox, { ...progress, spotlightId, acceptedAt: session.now(), polls: 0 })
    );
  if (alike.length > 0) return unknown('Snapchat shows the video without its id.');
  if (!reachesBack(listed.spotlights, since)) return unknown('The list does not reach back to when it was sent.');
  // The same media again: while an earlier send is at work, Snapchat refuses it.
  const again = checkpoint && { ...progress, armed: false, looked: false };
  return { then: 'notPosted', checkpoint: again, note: 'Snapchat does not show the video.' };
}

function unknown(note: string): VerifyResult {
  return { then: 'stillUnknown', note };
}
