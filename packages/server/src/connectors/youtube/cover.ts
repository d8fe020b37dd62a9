/** Custom thumbnails (`thumbnails.set`), for channels that may set one. */
import { PlatformError } from '../../outbound/platform-error.ts';
import type { ConfirmResult, Cover, Work } from '../contract.ts';
import { tryCover } from '../kit/cover.ts';
import { bearer } from './api.ts';
import type { Upload } from './checkpoint.ts';
import { failureOf } from './classify.ts';

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
    headers: { authorization: bearer(session.secret) },
    body: { kind: 'bytes', bytes, type: mime },
  });
  if (answer.status !== 200) throw new PlatformError(failureOf(answer, session.now()));
}
