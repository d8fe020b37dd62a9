import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Container } from '../types.ts';

/** A link to the video of one target, for its platform. */
export interface LinkedTarget {
  targetId: string;
  /** Seconds since the epoch. */
  expiresAt: number;
}

const ID_BYTES = 16;
const TIME_BYTES = 5;
const MARK_BYTES = 16;
const TOKEN_BYTES = ID_BYTES + TIME_BYTES + MARK_BYTES;

/**
 * Creates the token of a link: target id and expiry, signed with HMAC-SHA-256 (first 128 bits). Contains no other data.
 */
export function writeToken(key: Buffer, { targetId, expiresAt }: LinkedTarget): string {
  const head = Buffer.alloc(ID_BYTES + TIME_BYTES);
  head.write(targetId.replaceAll('-', ''), 'hex');
  head.writeUIntBE(expiresAt, ID_BYTES, TIME_BYTES);
  return Buffer.concat([head, mark(key, head)]).toString('base64url');
}

/** Verifies a token. @returns the target; null if it is invalid or expired @param now ms since the epoch */
export function readToken(key: Buffer, token: string, now: number): string | null {
  if (!/^[\w-]{50}$/.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  // The last base64url character has spare bits: only the canonical spelling is accepted.
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return null;
  const head = bytes.subarray(0, ID_BYTES + TIME_BYTES);
  if (!timingSafeEqual(mark(key, head), bytes.subarray(ID_BYTES + TIME_BYTES))) return null;
  if (head.readUIntBE(ID_BYTES, TIME_BYTES) * 1000 < now) return null;
  const hex = head.toString('hex', 0, ID_BYTES);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function mark(key: Buffer, head: Buffer): Buffer {
  return createHmac('sha256', key).update('video link').update(head).digest().subarray(0, MARK_BYTES);
}

/** Some platforms rely on the file extension of the URL. */
const ENDINGS: Record<Container, string> = {
  mp4: 'mp4',
  mov: 'mov',
  '3gp': '3gp',
  matroska: 'mkv',
  webm: 'webm',
  mpegts: 'ts',
  avi: 'avi',
  flv: 'flv',
};

/** Path prefix of links, below the public URL. */
export const LINKS_PATH = '/v';

/** The complete URL. @param publicUrl without a trailing slash */
export function linkAddress(publicUrl: string, key: Buffer, target: LinkedTarget, container: Container): string {
  return `${publicUrl}${LINKS_PATH}/${writeToken(key, target)}.${ENDINGS[container]}`;
}

/** The token in a request path, or "". */
export function tokenIn(path: string): string {
  return /^\/v\/([\w-]+)\.[a-z0-9]{2,4}$/.exec(path)?.[1] ?? '';
}
