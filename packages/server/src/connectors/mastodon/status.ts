/** Reads statuses and matches them against ours. */
import type { Fingerprint, Json, Published } from '../contract.ts';
import { comparableText } from '../kit/comparable-text.ts';
import { at, numberAt, textAt } from '../kit/json.ts';

const DURATION_SLACK_MS = 1_000;
const REACH = ['direct', 'private', 'unlisted', 'public'];
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** @param wanted requested visibility; a lower one is reported in `detail` */
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

/** Returns the creation time in ms since the epoch; null if absent. */
export function madeAt(status: Json): number | null {
  return publishedFrom(status).publishedAt;
}

/**
 * Whether a status has our video, by upload id or by URL. Some servers use attachment ids that differ from upload ids
 * (Pleroma).
 */
export function hasMedium(status: Json, mediaId: string, mediaUrl: string): boolean {
  return attachmentsOf(status).some(
    (attachment) => textAt(attachment, 'id') === mediaId || (mediaUrl !== '' && textAt(attachment, 'url') === mediaUrl),
  );
}

/** Whether a status has exactly one video, with our duration if the server reports durations. */
export function hasVideoLike(status: Json, durationMs: number): boolean {
  const videos = attachmentsOf(status).filter((one) => ['video', 'gifv'].includes(textAt(one, 'type')));
  if (videos.length !== 1) return false;
  const seconds = numberAt(videos[0], 'meta', 'original', 'duration');
  return seconds === null || Math.abs(seconds * 1000 - durationMs) <= DURATION_SLACK_MS;
}

/** Whether a status has our text. A text without letters and digits never matches. */
export function isSameText(status: Json, { text }: Fingerprint): boolean {
  const ours = bare(text);
  return ours !== '' && bare(textOf(textAt(status, 'content'))) === ours;
}

function attachmentsOf(status: Json): unknown[] {
  const found = at(status, 'media_attachments');
  return Array.isArray(found) ? found : [];
}

/** Returns the text of a status without its HTML. */
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

/** Compares letters and digits, so that shortened mentions do not matter either. */
function bare(text: string): string {
  return comparableText(text.normalize('NFKC').replace(/(^|[^\w/])@(\w+)@[\w.-]*\w/g, '$1@$2'));
}
