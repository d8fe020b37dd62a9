/**
 * Verifies an unanswered send of the last part.
 *
 * The session states exactly how many bytes it has. If the session is gone, the channel's uploads are searched for our
 * file name.
 */
import type { Fingerprint, JsonObject, VerifyResult, Work } from '../contract.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { UNOPENED, type Upload, uploadOf } from './checkpoint.ts';
import { confirm } from './commit.ts';
import { privacyOf, resourceOf } from './options.ts';
import { askSession } from './session.ts';
import { failureIn, watched } from './state.ts';
import { isNamed, newUploads, videosOf } from './uploads.ts';

/** Tolerance for whole-second timestamps and network delay, ms. */
const CLOCK_SLACK_MS = 60_000;
/** How long after a send the list is conclusive when the session is gone, ms. */
const LIST_SETTLE_MS = 15 * 60_000;
const LIST_SETTLE_SANDBOX_MS = 5_000;

/** @throws PlatformError if a request fails */
export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const { bytes } = work.media;
  const upload = checkpoint ? uploadOf(checkpoint) : null;
  if (upload?.videoId) return confirm(work, { ...upload });
  if (!upload?.uri) return search(work, null, fingerprint);
  const told = await askSession(work, upload.uri);
  if (told.state === 'whole') return watched(upload, told.videoId);
  if (told.state === 'gone') return search(work, upload, fingerprint);
  if (told.kept === null || told.kept >= bytes)
    return { then: 'stillUnknown', note: 'YouTube did not say how much it has kept.' };
  return {
    then: 'notPosted',
    checkpoint: { ...upload, uri: told.uri || upload.uri, sent: told.kept, doubt: true, strays: 0 },
    note: `YouTube has ${told.kept} of ${bytes} bytes.`,
  };
}

/** Searches the uploads that are newer than the session. @throws PlatformError */
async function search(work: Work, upload: Upload | null, { committedAt }: Fingerprint): Promise<VerifyResult> {
  const { session, post } = work;
  const unknown = (note: string, afterMs?: number): VerifyResult => ({
    then: 'stillUnknown',
    note,
    ...(afterMs === undefined ? {} : { afterMs }),
  });
  const ids = await newUploads(session, (upload?.openedAt || committedAt) - CLOCK_SLACK_MS);
  if (!ids) return unknown('The channel has uploaded too much to look through.');
  const videos = await videosOf(session, ids);
  const known = upload ?? { ...UNOPENED, privacy: privacyOf(post, session), restarts: 0 };
  const named = videos.filter((video) => isNamed(video, work));
  // If several videos have our file name, the failed ones were replaced by a later upload.
  const sound = named.length > 1 ? named.filter((video) => !failureIn(video)) : named;
  const likely = named.length > 0 ? sound : videos.filter((video) => isLike(video, work));
  const [found] = likely;
  if (likely.length > 1) return unknown('The channel has several videos that could be this one.');
  if (found !== undefined && !isCertain(found, work)) return unknown('A video on the channel could be this one.');
  if (found !== undefined) return watched(known, textAt(found, 'id'));
  const settled = committedAt + (session.sandbox ? LIST_SETTLE_SANDBOX_MS : LIST_SETTLE_MS);
  if (session.now() < settled) return unknown('The channel does not show the video (yet).', settled - session.now());
  return { then: 'notPosted', checkpoint: null, note: 'The upload session is gone and the channel has no such video.' };
}

/** For a video without a file name: whether it has our title and its size is ours or unknown. */
export function isLike(video: unknown, { post, media }: Pick<Work, 'post' | 'media'>): boolean {
  if (textAt(video, 'fileDetails', 'fileName') !== '') return false;
  const size = numberAt(video, 'fileDetails', 'fileSize');
  const { title } = resourceOf(post, 'public').snippet as { title: string };
  return textAt(video, 'snippet', 'title') === title && (size === null || size === media.bytes);
}

function isCertain(video: unknown, work: Pick<Work, 'post' | 'media'>): boolean {
  if (isNamed(video, work)) return true;
  return numberAt(video, 'fileDetails', 'fileSize') === work.media.bytes;
}
