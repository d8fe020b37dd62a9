/** Checks a video response by its status and headers. Pure. */
import type { IncomingHttpHeaders } from 'node:http';
import { apiError, type ReelayError } from '../../errors/reelay-error.ts';
import { sourceText } from '../../messages/error-parts.ts';
import type { Message } from '../../messages/message.ts';

export interface ResponseHead {
  status: number;
  headers: IncomingHttpHeaders;
}

/**
 * Media types of pages, text and data. Bodies with a video type or an unknown type are checked by their bytes later.
 * Web servers also send `text/plain` for file names that they do not know, see {@link startProblem}.
 */
const NO_VIDEO = /^(?:text\/|application\/(?:json|xml|xhtml\+xml|[\w.-]+\+(?:json|xml))$)/;

/** Returns the error if the response contains no usable video; null if it may contain one. */
export function responseProblem({ status, headers }: ResponseHead): ReelayError | null {
  if (status !== 200) return statusProblem(status);
  const content = headers['content-encoding'] ?? '';
  const transfer = headers['transfer-encoding'] ?? '';
  const isPlain = (coding: string, usual: string) => ['', usual].includes(coding.trim().toLowerCase());
  if (!isPlain(content, 'identity') || !isPlain(transfer, 'chunked')) return apiError('source_compressed');
  const type = typeOf(headers);
  if (type.includes('html')) return apiError('source_web_page');
  if (type !== PLAIN_TEXT && NO_VIDEO.test(type)) return apiError('source_not_video', { kind: kindOf(type) });
  // If the end of the connection is the end of the content, a truncated video appears complete.
  if (headers['content-length'] === undefined && transfer === '') return apiError('source_without_length');
  return null;
}

const PLAIN_TEXT = 'text/plain';
/** Control characters that texts contain. Any other means binary data, by the MIME Sniffing standard. */
const TEXT_CONTROLS = [0x09, 0x0a, 0x0c, 0x0d, 0x1b];
const isBinary = (byte: number) => byte < 0x20 && !TEXT_CONTROLS.includes(byte);
const SNIFFED_BYTES = 1_445;

/** Returns the error if a body whose type is text begins like text; null for other types. */
export function startProblem({ headers }: Pick<ResponseHead, 'headers'>, start: Buffer): ReelayError | null {
  if (typeOf(headers) !== PLAIN_TEXT || start.subarray(0, SNIFFED_BYTES).some(isBinary)) return null;
  return apiError('source_not_video', { kind: kindOf(PLAIN_TEXT) });
}

function typeOf(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

function statusProblem(status: number): ReelayError {
  if ([401, 403, 404, 410].includes(status)) return apiError('source_link_ended', { status });
  return apiError(status === 429 || status >= 500 ? 'source_status_later' : 'source_status', { status });
}

/** Our own name for the type: the type itself is the host's text. */
function kindOf(type: string): Message {
  return sourceText(type.includes('json') ? 'json' : type.includes('xml') ? 'xml' : 'text');
}

/** Announced content length in bytes; 0 if absent. Node has already rejected anything but digits. */
export function announcedBytes({ headers }: ResponseHead): number {
  return Number(headers['content-length'] ?? 0);
}
