/** The session URI: accepts parts in order and status queries, and creates the video with the last byte. */
import { Readable } from 'node:stream';
import type { SimulatorOptions, SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import { isDown } from '../../faults/requested.ts';
import type { Handler } from '../../http/routes.ts';
import { readMp4Facts } from '../../media/mp4.ts';
import { appendChunk, totalBytes } from '../../store/chunks.ts';
import { publishVideo, update } from '../../store/records.ts';
import { callerOf } from './caller.ts';
import { type Account, appSettings, type Session, type Video } from './records.ts';
import { backendError, badRequest, refuse, unauthenticated } from './responses.ts';
import { videoResource } from './videos.ts';

/** Every part but the last is a multiple of this many bytes. */
const GRANULE = 262_144;

/** The content of a PUT request. */
type Piece =
  | { kind: 'question' }
  | {
      kind: 'bytes';
      first: number;
      last: number;
      /** Size of the file; null if still unknown. */
      size: number | null;
    };

export const receive: Handler = async (options, request) => {
  const settings = await appSettings(options);
  const uploadId = request.query.get('upload_id') ?? '';
  const session = await options.store.get<Session>('session', uploadId);
  if (!session || request.query.get('uploadType') !== 'resumable' || options.now() >= session.expiresAt)
    return { status: settings.goneStatus, headers: { 'content-type': 'text/plain' }, body: 'Not Found' };
  const { authorization } = request.headers;
  const caller = authorization === undefined ? null : await callerOf(options, request);
  if (authorization !== undefined && !caller) return unauthenticated();
  if (caller && caller.account.channelId !== session.channelId)
    return refuse('forbidden', 'The session belongs to another user.');
  if (await isDown(options.store, session.channelId)) return backendError();
  const piece = pieceOf(request, session);
  if (typeof piece === 'string') return badRequest(piece);
  if (piece.kind === 'question') return session.completedAt === null ? progress(session) : whole(options, session, 200);
  return take(options, request, session, { ...piece, halves: settings.keepsHalf });
};

async function take(
  options: SimulatorOptions,
  request: SimulatorRequest,
  session: Session,
  { first, last, size, halves }: Extract<Piece, { kind: 'bytes' }> & { halves: boolean },
): Promise<SimulatorResponse> {
  const length = last - first + 1;
  const stored = halves && length > GRANULE ? Math.ceil(length / 2 / GRANULE) * GRANULE : length;
  const body = stored === length ? request.body : firstOf(request.body, stored);
  const isWhole = first + stored === size;
  const {
    record: after,
    bytes,
    recorded,
  } = await appendChunk<Session>(options, ['session', session.uploadId], { offset: first, body }, (received) =>
    received === stored ? { size, completedAt: isWhole ? options.now() : null } : null,
  );
  if (bytes !== stored) return badRequest('The body is shorter than its Content-Length.');
  if (!after || !recorded) return badRequest('These bytes are not the next ones.');
  if (!isWhole) return progress(after);
  return finish(options, after, 201);
}

/** The response to the last byte. */
export async function finish(
  options: SimulatorOptions,
  session: Session,
  status: 200 | 201,
): Promise<SimulatorResponse> {
  const trouble = session.trouble === 'lost-answer' ? session.trouble : undefined;
  return { ...(await whole(options, session, status)), trouble };
}

/** Parses the headers. @returns an error message if they do not fit the session */
function pieceOf(request: SimulatorRequest, session: Session): Piece | string {
  const range = request.headers['content-range'];
  const length = Number(request.headers['content-length'] ?? Number.NaN);
  if (!Number.isSafeInteger(length)) return 'Content-Length is missing.';
  if (range?.startsWith('bytes */')) {
    const total = range.slice('bytes */'.length);
    if (total !== '*' && session.size !== null && total !== String(session.size))
      return 'Content-Range has another total.';
    return length === 0 ? { kind: 'question' } : 'A question has no body.';
  }
  if (session.completedAt !== null) return 'The upload is complete already.';
  const type = request.headers['content-type'];
  if (type !== undefined && type !== session.type) return 'Content-Type is another than X-Upload-Content-Type.';
  if (range === undefined) {
    if (length !== (session.size ?? length) || totalBytes(session.chunks) > 0)
      return 'Without Content-Range the whole file is sent.';
    return { kind: 'bytes', first: 0, last: length - 1, size: length };
  }
  const [, from, to, stated] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(range) ?? [];
  const [first, last] = [Number(from), Number(to)];
  // The total may be stated with the last part only.
  const size = stated === '*' ? null : Number(stated);
  if (stated === undefined || (session.size !== null && size !== session.size)) return 'Content-Range cannot be read.';
  if (last < first || last >= (size ?? Number.POSITIVE_INFINITY) || length !== last - first + 1)
    return 'Content-Range and Content-Length disagree.';
  if (first !== totalBytes(session.chunks)) return 'These bytes are not the next ones.';
  if (last + 1 !== size && length % GRANULE !== 0) return 'A part must be a multiple of 262144 bytes.';
  return { kind: 'bytes', first, last, size };
}

/** The stored range. No `range` header means that nothing is stored. */
function progress(session: Session): SimulatorResponse {
  const stored = totalBytes(session.chunks);
  return { status: 308, headers: stored > 0 ? { range: `bytes=0-${stored - 1}` } : {} };
}

async function whole(options: SimulatorOptions, session: Session, status: 200 | 201): Promise<SimulatorResponse> {
  await announce(options, session);
  const video = await options.store.get<Video>('video', session.videoId);
  if (!video) throw new Error(`Session ${session.uploadId} is complete and has no video.`);
  return { status, body: videoResource(options, video, session.parts, false) };
}

/** The first `count` bytes of a body; the rest is read and discarded. */
function firstOf(body: Readable, count: number): Readable {
  async function* read(): AsyncGenerator<Buffer> {
    let left = count;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (left > 0) yield chunk.subarray(0, left);
      left -= Math.min(left, chunk.length);
    }
  }
  return Readable.from(read(), { objectMode: false });
}

/**
 * Publishes a completed upload on its channel. Idempotent.
 *
 * The process may crash after the last part is recorded and before this runs. The next request to the session then runs
 * it.
 */
async function announce(options: SimulatorOptions, session: Session): Promise<void> {
  if (session.completedAt === null || session.announced) return;
  const account = await options.store.get<Account>('account', session.channelId);
  const { completedAt, failureReason, metadata } = session;
  const { durationMs } = await readMp4Facts(options.blobs, session.chunks);
  const video: Video = {
    id: session.videoId,
    channelId: session.channelId,
    channelTitle: account?.title ?? '',
    metadata,
    fileName: session.slug,
    fileSize: totalBytes(session.chunks),
    durationMs,
    createdAt: completedAt,
    processedAt: completedAt + session.processingMs,
    failureReason,
    rejectionReason: null,
    deleted: false,
    thumbnail: null,
  };
  await options.store.insert('video', video.id, video, video.channelId);
  const entry = {
    id: video.id,
    username: account?.username ?? '',
    text: metadata.description,
    url: `${options.baseUrl}/watch?v=${video.id}`,
    publishedAt: completedAt,
    blobs: session.chunks.map(({ blob }) => blob),
    mime: session.type,
  };
  if (failureReason === null) await publishVideo(options, entry, session.uploadId, session.size);
  await update<Session>(options.store, ['session', session.uploadId], { announced: true });
}
