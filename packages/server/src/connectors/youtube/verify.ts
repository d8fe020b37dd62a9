/**
 * Whether a last part without an answer has posted. The session answers for itself, exactly: all is there, or so much is.
 * Where it is gone, the channel's list of uploads is looked through for a video that goes by our file name.
 */
import type { Fingerprint, JsonObject, VerifyResult, Work } from '../contract.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { UNOPENED, type Upload, uploadOf } from './checkpoint.ts';
import { confirm } from './commit.ts';
import { privacyOf, resourceOf } from './options.ts';
import { askSession } from './session.ts';
import { failureIn, watched } from './state.ts';
import { isNamed, newUploads, videosOf } from './uploads.ts';

/** Clocks are compared by whole seconds, and the way takes time, ms. */
const CLOCK_SLACK_MS = 60_000;
/** Without the session, so long after a send the list is believed that the video is not there, ms. */
const LIST_SETTLE_MS = 15 * 60_000;
const LIST_SETTLE_SANDBOX_MS = 5_000;

/** @throws PlatformError where the look fails */
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

/** Looks among the uploads that are newer than the session. @throws PlatformError */
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
  // Of several that went by the name, those that failed at YouTube are the reason why there are several.
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

/** Without the name of its file: our title, and a length that is ours or not told yet. Pure. */
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
