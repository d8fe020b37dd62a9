/** Describes a stored video for {@link Phone}. */
import type { Blobs, PhoneVideo } from '../contract.ts';
import { readMp4Facts } from './mp4.ts';

/** Brand of QuickTime files in their first box. */
const QUICKTIME = 'ftypqt  ';

/** Returns null if the file is not an MP4 or QuickTime file with a picture and a duration. */
export async function readPhoneVideo(
  blobs: Blobs,
  file: Pick<PhoneVideo, 'blob' | 'bytes' | 'sha256'>,
): Promise<PhoneVideo | null> {
  const { blob, bytes, sha256 } = file;
  const facts = await readMp4Facts(blobs, [{ blob, bytes }]);
  if (facts.durationMs <= 0 || facts.width <= 0 || facts.height <= 0) return null;
  const start = Buffer.concat((await (await blobs.get(blob, { first: 0, last: 11 })).toArray()) as Buffer[]);
  const mime = start.toString('latin1', 4) === QUICKTIME ? 'video/quicktime' : 'video/mp4';
  return { blob, bytes, sha256, mime, ...facts };
}
