/**
 * Verifies whether a send of unknown outcome created a spotlight. The list references neither the media nor the
 * request. A spotlight is matched by text and by its absence before the send. Text without letters or digits proves
 * nothing, nor do two matches. If the list cannot be read, the outcome stays unknown.
 */
import type { Fingerprint, JsonObject, VerifyResult, Work } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { progressOf } from './checkpoint.ts';
import { afterReview, reviewed } from './commit.ts';
import { cameSince, earliestOf, isTelling, listSpotlights, reachesBack, saysTheSame } from './spotlights.ts';

/** @throws PlatformError if the list cannot be read */
export async function verify(
  { session }: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const progress = progressOf(checkpoint);
  // An earlier send that was verified as not posted may have taken effect late.
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
  // The same media is sent again; Snapchat rejects it while an earlier send is in progress.
  const again = checkpoint && { ...progress, armed: false, looked: false };
  return { then: 'notPosted', checkpoint: again, note: 'Snapchat does not show the video.' };
}

function unknown(note: string): VerifyResult {
  return { then: 'stillUnknown', note };
}
