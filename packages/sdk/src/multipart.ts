/** Encodes the form of a new post as a stream of known length. The video is never held in memory as a whole. */

/** A video that is read while it is being sent. */
export interface VideoStream {
  /** Called once per attempt. A stream that can be read only once returns itself again, or throws. */
  stream(): ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>;
  /** Opens the video at a byte offset, if supported, so that a resumed upload reads nothing twice. */
  streamFrom?(offset: number): ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>;
  /** In bytes. */
  length: number;
  /** File name; default: `video`. */
  name?: string;
}

/** A browser file, any other blob, or a stream. */
export type Video = Blob | VideoStream;

export interface Form {
  contentType: string;
  /** Length of the whole body in bytes. */
  length: number;
  /**
   * Returns the body for one attempt.
   * @throws TypeError if the stream was already read
   */
  body(watch: BodyWatch): Promise<Blob | ReadableStream<Uint8Array>>;
}

export interface BodyWatch {
  /** Called with the number of bytes of the video sent so far. */
  onSent(bytes: number): void;
  /** Called with the reason if reading the video fails. The sender sees only a broken request. */
  onBroken(error: unknown): void;
}

/**
 * @param fields sent before the file, so that errors in them are detected before the video is read
 * @param video null if the fields say where it is
 */
export function formOf(fields: readonly (readonly [name: string, value: string])[], video: Video | null): Form {
  const boundary = `reelay-${randomText()}`;
  const part = (disposition: string, type = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n`;
  const text = fields.map(([name, value]) => `${part(`name="${escapeName(name)}"`)}${value}\r\n`).join('');
  if (video === null) return textForm(boundary, `${text}--${boundary}--\r\n`);
  const name = escapeName(('name' in video ? video.name : undefined) || 'video');
  const type = 'Content-Type: application/octet-stream\r\n';
  const encoder = new TextEncoder();
  const head = encoder.encode(`${text}${part(`name="video"; filename="${name}"`, type)}`);
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  const bytes = video instanceof Blob ? video.size : video.length;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: head.length + bytes + tail.length,
    async body(watch) {
      // A blob is sent as a blob: browsers know its length and read it from disk.
      if (video instanceof Blob) return new Blob([head, video, tail]);
      const stream = await video.stream();
      if (stream.locked) throw new TypeError('The stream of the video can be read only once.');
      return streamOf(pieces(head, stream, tail, { length: bytes, ...watch }));
    },
  };
}

function textForm(boundary: string, text: string): Form {
  const body = new Blob([text]);
  return { contentType: `multipart/form-data; boundary=${boundary}`, length: body.size, body: async () => body };
}

async function* pieces(
  head: Uint8Array,
  video: ReadableStream<Uint8Array>,
  tail: Uint8Array,
  { length, onSent, onBroken }: BodyWatch & { length: number },
): AsyncGenerator<Uint8Array> {
  yield head;
  let sent = 0;
  const reader = video.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      sent += value.length;
      if (sent > length) throw new Error(`The video is longer than the ${length} bytes that were announced.`);
      yield value;
      onSent(sent);
    }
    if (sent < length) throw new Error(`The video ended after ${sent} of the ${length} bytes that were announced.`);
  } catch (error) {
    onBroken(error);
    throw error;
  } finally {
    await reader.cancel().catch(() => {});
  }
  yield tail;
}

/** Replaces `ReadableStream.from`, which not every browser has. */
function streamOf(source: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await source.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Escapes names as browsers do (HTML standard, multipart/form-data). */
function escapeName(name: string): string {
  return name.replace(/\r\n|\r|\n/g, '%0D%0A').replace(/"/g, '%22');
}

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
