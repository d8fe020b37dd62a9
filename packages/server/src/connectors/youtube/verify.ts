/**
 * Establishes what became of a send of the last part, answered (`confirm`) or not (`verify`).
 *
 * The session states exactly how many bytes it has. If the session is gone, the channel's uploads are searched for our
 * file name.
 */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Cover, Fingerprint, JsonObject, VerifyResult, Work } from '../contract.ts';
import { tryCover } from '../kit/cover.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { list } from './api.ts';
import { failureOf } from './classify.ts';
import { privacyOf, resourceOf } from './limits.ts';
import { failureIn, followed, missing, watched } from './state.ts';
import { askSession, UNOPENED, type Upload, uploadOf } from './upload.ts';
import { formerUpload, isNamed, newUploads, videosOf } from './uploads.ts';

/** Tolerance for whole-second timestamps and network delay, ms. */
const CLOCK_SLACK_MS = 60_000;
/** How long after a send the list is conclusive when the session is gone, ms. */
const LIST_SETTLE_MS = 15 * 60_000;
const LIST_SETTLE_SANDBOX_MS = 5_000;

/**
 * Sets the thumbnail, then polls until YouTube has processed the video or reports why it did not. @throws PlatformError
 */
export async function confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult> {
  const upload = uploadOf(checkpoint);
  if (!upload.covered) return withCover(work, upload);
  const part = 'snippet,status,processingDetails';
  const { items } = await list(work.session, 'videos', { part, id: upload.videoId });
  const [video] = items;
  const result = video === undefined ? missing(work.session, upload) : followed(work, upload, video);
  if (result.then !== 'failed' || result.failure.kind !== 'rejected' || result.failure.what !== 'duplicate')
    return result;
  // The original may be an earlier upload of this same post that became visible late.
  const former = await formerUpload(work, upload.videoId);
  return former ? watched(upload, former) : result;
}

/** Sets the thumbnail of an uploaded video. A failure is only noted, because the video exists either way. */
export async function withCover(work: Work, upload: Upload): Promise<ConfirmResult> {
  const trouble = await tryCover(work.media, (cover) => send(work, upload, cover));
  const note = trouble
    ? `YouTube did not take the picture for the video. ${trouble}`
    : 'YouTube has the picture of the chosen moment.';
  return { then: 'confirming', checkpoint: { ...upload, covered: true }, afterMs: 0, note };
}

/** @throws PlatformError, NetworkError, BudgetEmpty */
async function send({ session }: Work, { videoId }: Upload, { bytes, mime }: Cover): Promise<void> {
  await session.spend('pictures');
  const answer = await session.http({
    method: 'POST',
    url: `${session.endpoints.api}/upload/youtube/v3/thumbnails/set?${new URLSearchParams({ videoId, uploadType: 'media' })}`,
    headers: bearer(session.secret),
    body: { kind: 'bytes', bytes, type: mime },
  });
  if (answer.status !== 200) throw new PlatformError(failureOf(answer, session.now()));
}

/** @throws PlatformError if a request fails */
export async function verify(
  work: Work,
  checkpoint: JsonObject | null,
  fingerprint: Fingerprint,
): Promise<VerifyResult> {
  const { bytes } = work.media;
  const upload = checkpoint ? uploadOf(checkpoint) : null;
  if (upload?.videoId) return confirm(work, upload);
  if (!upload?.uri) return search(work, null, fingerprint);
  const told = await askSession(work, upload.uri);
  if (told.state === 'whole') return watched(upload, told.videoId);
  if (told.state === 'gone') return search(work, upload, fingerprint);
  if (told.kept === null || told.kept >= bytes) return stillUnknown('YouTube did not say how much it has kept.');
  const resumed = { ...upload, uri: told.uri || upload.uri, sent: told.kept, doubt: true, strays: 0 };
  return notPosted(resumed, `YouTube has ${told.kept} of ${bytes} bytes.`);
}

/** Searches the uploads that are newer than the session. @throws PlatformError */
async function search(work: Work, upload: Upload | null, { committedAt }: Fingerprint): Promise<VerifyResult> {
  const { session, post } = work;
  const ids = await newUploads(session, (upload?.openedAt || committedAt) - CLOCK_SLACK_MS);
  if (!ids) return stillUnknown('The channel has uploaded too much to look through.');
  const videos = await videosOf(session, ids);
  const known = upload ?? { ...UNOPENED, privacy: privacyOf(post, session) };
  const named = videos.filter((video) => isNamed(video, work));
  // If several videos have our file name, the failed ones were replaced by a later upload.
  const sound = named.length > 1 ? named.filter((video) => !failureIn(video)) : named;
  const likely = named.length > 0 ? sound : videos.filter((video) => isLike(video, work));
  const [found] = likely;
  if (likely.length > 1) return stillUnknown('The channel has several videos that could be this one.');
  if (found !== undefined && !isCertain(found, work)) return stillUnknown('A video on the channel could be this one.');
  if (found !== undefined) return watched(known, textAt(found, 'id'));
  const settled = committedAt + (session.sandbox ? LIST_SETTLE_SANDBOX_MS : LIST_SETTLE_MS);
  if (session.now() < settled)
    return stillUnknown('The channel does not show the video (yet).', settled - session.now());
  return notPosted(null, 'The upload session is gone and the channel has no such video.');
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
