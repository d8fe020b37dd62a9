/**
 * Establishes what became of a send of the last part, answered (`confirm`) or not (`verify`).
 *
 * The session states exactly how many bytes it has. If the session is gone, the channel's uploads are searched for our
 * file name.
 */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Cover, Fingerprint, JsonObject, Session, VerifyResult, Work } from '../contract.ts';
import { tryCover } from '../kit/cover.ts';
import { numberAt, textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { notPosted, stillUnknown } from '../kit/results.ts';
import { list } from './api.ts';
import { failureOf } from './classify.ts';
import { privacyOf, resourceOf } from './limits.ts';
import { failureIn, followed, missing, watched } from './state.ts';
import { fileNameOf, readSession, UNOPENED, type Upload, uploadOf } from './upload.ts';

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
async function withCover(work: Work, upload: Upload): Promise<ConfirmResult> {
  const trouble = await tryCover(work.media, (cover) => send(work, upload, cover));
  const note = trouble
    ? `YouTube did not take the picture for the video. ${trouble.text}`
    : 'YouTube has the picture of the chosen moment.';
  return { then: 'confirming', checkpoint: { ...upload, covered: true }, afterMs: 0, note };
}

/** @throws PlatformError, NetworkError, BudgetEmpty */
async function send({ session }: Work, { videoId }: Upload, { bytes, mime }: Cover): Promise<void> {
  await session.spend('pictures');
  const response = await session.http({
    method: 'POST',
    url: `${session.endpoints.api}/upload/youtube/v3/thumbnails/set?${new URLSearchParams({ videoId, uploadType: 'media' })}`,
    headers: bearer(session.secret),
    body: { kind: 'bytes', bytes, type: mime },
  });
  if (response.status !== 200) throw new PlatformError(failureOf(response, session.now()));
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
  const told = await readSession(work, upload.uri);
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

const PAGE = 50;
const MAX_PAGES = 4;
/** Age limit of earlier uploads, ms: longer than any target is processed, including its platform's daily waits. */
const FORMER_MS = 8 * 86_400_000;

/**
 * Returns the id of another video with our file name that YouTube has not rejected, or "".
 * @throws PlatformError
 */
async function formerUpload(work: Work, videoId: string): Promise<string> {
  const ids = await newUploads(work.session, work.session.now() - FORMER_MS);
  const videos = await videosOf(work.session, ids ?? []);
  const former = videos.find(
    (video) => textAt(video, 'id') !== videoId && isNamed(video, work) && failureIn(video) === null,
  );
  return textAt(former, 'id');
}

/** Whether a video has the file name that we gave it. */
function isNamed(video: unknown, work: Pick<Work, 'post' | 'media'>): boolean {
  return textAt(video, 'fileDetails', 'fileName') === fileNameOf(work);
}

/**
 * Returns the ids of uploads since a time of our clock, or null if there are more than `MAX_PAGES` pages.
 * @throws PlatformError
 */
async function newUploads(session: Session, since: number): Promise<string[] | null> {
  const playlistId = textAt(session.extra, 'uploads') || session.remoteId.replace(/^UC/, 'UU');
  const found: string[] = [];
  let pageToken = '';
  for (let page = 0; page < MAX_PAGES; page++) {
    const { body, items, aheadMs } = await list(session, 'playlistItems', {
      part: 'snippet,contentDetails',
      playlistId,
      maxResults: String(PAGE),
      ...(pageToken ? { pageToken } : {}),
    }).catch((error: unknown) => {
      // A channel that never had an upload has no uploads playlist.
      if (error instanceof PlatformError && error.failure.platformCode === 'playlistNotFound')
        return { body: {}, items: [], aheadMs: 0 };
      throw error;
    });
    const fresh = items.filter((item) => !(timeOf(item) < since + aheadMs));
    found.push(...fresh.map(idOf).filter(Boolean));
    pageToken = textAt(body, 'nextPageToken');
    if (fresh.length < items.length || !pageToken) return found;
  }
  return null;
}

/** Fetches videos by id, with the file details that only their owner sees. @throws PlatformError */
async function videosOf(session: Session, ids: readonly string[]): Promise<unknown[]> {
  const videos: unknown[] = [];
  for (let first = 0; first < ids.length; first += PAGE) {
    const id = ids.slice(first, first + PAGE).join(',');
    videos.push(...(await list(session, 'videos', { part: 'snippet,status,fileDetails', id })).items);
  }
  return videos;
}

function idOf(item: unknown): string {
  return textAt(item, 'contentDetails', 'videoId') || textAt(item, 'snippet', 'resourceId', 'videoId');
}

/** When it was added to the list, ms since the epoch. NaN if not stated; such an item may be new. */
function timeOf(item: unknown): number {
  return Date.parse(textAt(item, 'snippet', 'publishedAt') || textAt(item, 'contentDetails', 'videoPublishedAt'));
}
