import { Readable } from 'node:stream';
import { MINUTE } from './time.ts';

/**
 * Default of `patienceMs`. A slow but steady reader seems to take nothing while it empties the buffers of the connection,
 * which are megabytes.
 */
const PATIENCE_MS = 5 * MINUTE;

/**
 * A stream that fails if its consumer reads nothing for too long.
 * @param pieces ended when the stream closes
 * @param patienceMs in ms
 */
export function patientStream(pieces: AsyncIterable<string | Buffer>, patienceMs = PATIENCE_MS): Readable {
  const wait = () => setTimeout(() => stream.destroy(new Error('The reader took nothing for too long.')), patienceMs);
  let timer = wait();
  let isBegun = false;
  const timed = async function* () {
    isBegun = true;
    for await (const piece of pieces) {
      clearTimeout(timer);
      timer = wait();
      yield piece;
      clearTimeout(timer);
    }
  };
  const stream = Readable.from(timed(), { objectMode: false });
  return stream.once('close', () => {
    clearTimeout(timer);
    // A generator that never ran does not end what it would have read.
    if (!isBegun && pieces instanceof Readable) pieces.destroy();
  });
}
