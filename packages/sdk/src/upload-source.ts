/** Reads a video piece by piece for the requests of an upload. */
import type { Video, VideoStream } from './multipart.ts';

export interface PieceSource {
  /**
   * Returns the body of a request. A stream continues where the previous piece ended, if it ended at this offset.
   * @param size in bytes, not beyond the end of the video
   * @param onSent called with the offset that was reached
   */
  piece(offset: number, size: number, onSent: (offset: number) => void): Promise<Blob | ReadableStream<Uint8Array>>;
  /** Why reading the video failed. The sender sees only a broken request. */
  failure(): { error: unknown } | null;
  /** Ends reading. The next piece opens the video again. */
  close(): Promise<void>;
}

export function createPieceSource(video: Video): PieceSource {
  if (video instanceof Blob)
    return {
      piece: async (offset, size) => video.slice(offset, offset + size),
      failure: () => null,
      close: async () => {},
    };
  let failure: { error: unknown } | null = null;
  let open: OpenStream | null = null;
  const close = async () => {
    const closed = open;
    open = null;
    await closed?.close();
  };
  return {
    failure: () => failure,
    close,
    async piece(offset, size, onSent) {
      if (open?.offset() !== offset) await close();
      open ??= await openAt(video, offset);
      const own = open;
      const end = offset + size;
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const chunk = await own.read(end - own.offset()).catch((error: unknown) => {
              // A closed stream ends early.
              if (own === open) failure = { error };
              throw error;
            });
            controller.enqueue(chunk);
            onSent(own.offset());
            if (own.offset() === end) controller.close();
          },
          cancel: () => (own === open ? close() : undefined),
        },
        { highWaterMark: 0 },
      );
    },
  };
}

interface OpenStream {
  /** Offset of the next byte. */
  offset(): number;
  /**
   * Returns the next bytes, at least one.
   * @throws Error unless the stream has exactly the announced length
   */
  read(most: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

async function openAt({ length, stream, streamFrom }: VideoStream, start: number): Promise<OpenStream> {
  const source = streamFrom ? await streamFrom(start) : await stream();
  if (source.locked) throw new TypeError('The stream of the video can be read only once.');
  const reader = source.getReader();
  let position = streamFrom ? start : 0;
  let rest: Uint8Array = new Uint8Array();
  /** Fills `rest`. @returns whether there was anything left */
  const fill = async () => {
    while (rest.length === 0) {
      const { done, value } = await reader.read();
      if (done) return false;
      const skipped = Math.min(Math.max(0, start - position), value.length);
      position += skipped;
      rest = value.subarray(skipped);
    }
    return true;
  };
  return {
    offset: () => Math.max(position, start),
    close: () => reader.cancel().catch(() => {}),
    async read(most) {
      if (!(await fill()))
        throw new Error(`The video ended after ${position} of the ${length} bytes that were announced.`);
      const chunk = rest.subarray(0, most);
      rest = rest.subarray(chunk.length);
      position += chunk.length;
      if (position === length && (await fill()))
        throw new Error(`The video is longer than the ${length} bytes that were announced.`);
      return chunk;
    },
  };
}
