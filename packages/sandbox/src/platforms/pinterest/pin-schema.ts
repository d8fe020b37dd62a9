/** Validates the request for a pin against the schemas of the v5 API. */
import { createHash } from 'node:crypto';
import { PICTURES } from '../../http/pictures.ts';
import { Refused } from '../../refused.ts';
import type { Cover } from './records.ts';
import { invalid } from './responses.ts';

export interface PinRequest {
  boardId: string;
  mediaId: string;
  title: string | null;
  description: string | null;
  link: string | null;
  altText: string | null;
  cover: Cover;
}

const TEXTS = { title: 100, description: 800, alt_text: 500, link: 2048 } as const;
const PIN = [
  'board_id',
  'board_section_id',
  'title',
  'description',
  'link',
  'alt_text',
  'dominant_color',
  'media_source',
  'parent_pin_id',
  'sponsor_id',
];
const SOURCE = [
  'source_type',
  'media_id',
  'cover_image_url',
  'cover_image_content_type',
  'cover_image_data',
  'cover_image_key_frame_time',
  'is_standard',
];
const IS_ID = /^\d+$/;

/** @throws Refused with 400 and code 1 */
export function readPin(body: Record<string, unknown>): PinRequest {
  const refuse = (message: string): never => {
    throw new Refused(invalid(message));
  };
  const stray = Object.keys(body).find((name) => !PIN.includes(name));
  if (stray !== undefined) refuse(`Additional properties are not allowed ('${stray}' was unexpected)`);
  const { board_id: boardId } = body;
  // Formally optional, but required in practice.
  if (typeof boardId !== 'string' || !IS_ID.test(boardId)) return refuse(`'${boardId}' does not match '^\\d+$'`);
  for (const [name, most] of Object.entries(TEXTS)) {
    const value = body[name];
    if (value !== undefined && value !== null && typeof value !== 'string') refuse(`${name} is not of type 'string'`);
    if (typeof value === 'string' && value.length > most)
      refuse(`'${name}' is too long, constraint: maxLength=${most}`);
  }
  const textOf = (name: keyof typeof TEXTS) =>
    typeof body[name] === 'string' && body[name] !== '' ? body[name] : null;
  const link = textOf('link');
  if (link !== null && !/^https?:$/.test(URL.parse(link)?.protocol ?? '')) refuse(`'${link}' is not a 'uri'`);
  return {
    boardId,
    ...readSource(body.media_source, refuse),
    title: textOf('title'),
    description: textOf('description'),
    link,
    altText: textOf('alt_text'),
  };
}

/** Validates the media source. Exactly one of the three forms of cover is required. */
function readSource(source: unknown, refuse: (message: string) => never): Pick<PinRequest, 'mediaId' | 'cover'> {
  const given = (source ?? {}) as Record<string, unknown>;
  const unfit = `${JSON.stringify(source)?.slice(0, 200)} is not valid under any of the given schemas`;
  if (typeof source !== 'object' || !Object.keys(given).every((name) => SOURCE.includes(name))) return refuse(unfit);
  const { source_type: type, media_id: mediaId } = given;
  if (type !== 'video_id' || typeof mediaId !== 'string' || !IS_ID.test(mediaId)) return refuse(unfit);
  const { cover_image_key_frame_time: seconds, cover_image_url: url } = given;
  const { cover_image_content_type: picture, cover_image_data: data } = given;
  const ways = [seconds, url, picture ?? data].filter((each) => each !== undefined);
  if (ways.length > 1) return refuse(unfit);
  if (seconds !== undefined)
    return Number.isInteger(seconds) && Number(seconds) >= 0
      ? { mediaId, cover: { seconds: Number(seconds) } }
      : refuse(unfit);
  if (typeof url === 'string' && URL.canParse(url)) return { mediaId, cover: { url } };
  const sha256 = pictureIn(picture, data);
  if (sha256 !== null) return { mediaId, cover: { sha256 } };
  return refuse(
    'Either cover_image_url or cover_image_content_type with cover_image_data or cover_image_key_frame_time is needed for a video.',
  );
}

/** Returns the SHA-256 of a picture whose bytes match its type; null otherwise. */
function pictureIn(type: unknown, data: unknown): string | null {
  const begins = typeof type === 'string' && Object.hasOwn(PICTURES, type) ? PICTURES[type] : undefined;
  if (begins === undefined || typeof data !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return null;
  const bytes = Buffer.from(data, 'base64');
  return bytes.toString('hex').startsWith(begins) ? createHash('sha256').update(bytes).digest('hex') : null;
}
