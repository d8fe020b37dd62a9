import { appendFile, open, stat } from 'node:fs/promises';

const PIECE = 16 * 1024 * 1024;

/** Pads a video to this size with an empty box (ISO 14496-12, `free`), which players skip. */
export async function pad(path: string, bytes: number): Promise<void> {
  const missing = bytes - (await stat(path)).size;
  const head = Buffer.alloc(8);
  head.writeUInt32BE(missing, 0);
  head.write('free', 4, 'latin1');
  await appendFile(path, head);
  const file = await open(path, 'a');
  try {
    for (let left = missing - head.length; left > 0; left -= PIECE)
      await file.write(Buffer.alloc(Math.min(PIECE, left), 0x5a));
  } finally {
    await file.close();
  }
}
