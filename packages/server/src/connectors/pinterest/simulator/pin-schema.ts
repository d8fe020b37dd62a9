/** What a pin may be made of, by the schemas of the v5 API. */
import { invalid, Refused } from './answers.ts';

export interface PinRequest {
  boardId: string;
  mediaId: string;
  title: string | null;
  description: string | null;
  link: string | null;
  altText: string | null;
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
  // Formally optional; in practice there is no pin without one.
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
    mediaId: readSource(body.media_source, refuse),
    title: textOf('title'),
    description: textOf('description'),
    link,
    altText: textOf('alt_text'),
  };
}

function readSource(source: unknown, refuse: (message: string) => never): string {
  const given = (source ?? {}) as Record<string, unknown>;
  const unfit = `${JSON.stringify(source)?.slice(0, 200)} is not valid under any of the given schemas`;
  if (typeof source !== 'object' || !Object.keys(given).every((name) => SOURCE.includes(name))) return refuse(unfit);
  const { source_type: type, media_id: mediaId, cover_image_key_frame_time: seconds } = given;
  if (type !== 'video_id' || typeof mediaId !== 'string' || !IS_ID.test(mediaId)) return refuse(unfit);
  if (seconds !== undefined && !(Number.isInteger(seconds) && Number(seconds) >= 0)) return refuse(unfit);
  const picture = given.cover_image_content_type !== undefined && given.cover_image_data !== undefined;
  if (given.cover_image_url === undefined && !picture && seconds === undefined)
    return refuse(
      'Either cover_image_url or cover_image_content_type with cover_image_data or cover_image_key_frame_time is needed for a video.',
    );
  return mediaId;
}
