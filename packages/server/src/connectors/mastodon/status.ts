/** Reading statuses: what was published, and whether it is ours. */
import type { Fingerprint, Json, Published } from '../contract.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

const DURATION_SLACK_MS = 1_000;
const REACH = ['direct', 'private', 'unlisted', 'public'];
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** @param wanted visibility that was asked for; a lesser one is told */
export function publishedFrom(status: Json, wanted = ''): Published {
  const visibility = textAt(status, 'visibility');
  const made = Date.parse(textAt(status, 'created_at'));
  const lesser = REACH.includes(visibility) && REACH.indexOf(visibility) < REACH.indexOf(wanted);
  return {
    remoteId: textAt(status, 'id') || null,
    url: textAt(status, 'url') || textAt(status, 'uri') || null,
    publishedAt: Number.isNaN(made) ? null : made,
    ...(lesser ? { detail: `The server posted it as ${visibility}, not ${wanted}.` } : {}),
  };
}

/** When a status was made, ms since the epoch; null where it does not say. */
export function madeAt(status: Json): number | null {
  return publishedFrom(status).publishedAt;
}

/**
 * Whether a status has our video: by the id of the upload, or by its address where a server gives attachments another
 * id than uploads (Pleroma).
 */
export function hasMedium(status: Json, mediaId: string, mediaUrl: string): boolean {
  return attachmentsOf(status).some(
    (attachment) => textAt(attachment, 'id') === mediaId || (mediaUrl !== '' && textAt(attachment, 'url') === mediaUrl),
  );
}

/** Whether a status has one video, of our length where the server tells lengths. */
export function hasVideoLike(status: Json, durationMs: number): boolean {
  const videos = attachmentsOf(status).filter((one) => ['video', 'gifv'].includes(textAt(one, 'type')));
  if (videos.length !== 1) return false;
  const seconds = numberAt(videos[0], 'meta', 'original', 'duration');
  return seconds === null || Math.abs(seconds * 1000 - durationMs) <= DURATION_SLACK_MS;
}

/** Whether a status says what we wanted to say. A text without letters and digits never does. */
export function saysTheSame(status: Json, { text }: Fingerprint): boolean {
  const ours = bare(text);
  return ours !== '' && bare(textOf(textAt(status, 'content'))) === ours;
}

function attachmentsOf(status: Json): unknown[] {
  const found = at(status, 'media_attachments');
  return Array.isArray(found) ? found : [];
}

/** The text of a status without its HTML. */
export function textOf(html: string): string {
  return html
    .replace(/<br\s*\/?>|<\/p>/gi, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
      if (name) return ENTITIES[String(name).toLowerCase()] ?? whole;
      const point = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    });
}

/** Letters and digits only, so that spacing, marks and shortened mentions do not matter. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/(^|[^\w/])@(\w+)@[\w.-]*\w/g, '$1@$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
