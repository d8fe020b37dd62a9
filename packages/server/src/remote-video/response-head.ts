/** Checks a video response by its status and headers. Pure. */
import type { IncomingHttpHeaders } from 'node:http';
import { apiError, type ReelayError } from '../errors.ts';
import { sourceText } from '../messages/error-parts.ts';
import type { Message } from '../messages/message.ts';

export interface ResponseHead {
  status: number;
  headers: IncomingHttpHeaders;
}

/**
 * Media types of pages, text and data. Bodies with a video type or an unknown type are checked by their bytes later.
 */
const NO_VIDEO = /^(?:text\/|application\/(?:json|xml|xhtml\+xml|[\w.-]+\+(?:json|xml))$)/;

/** Returns the error if the response contains no usable video; null if it may contain one. */
export function answerProblem({ status, headers }: ResponseHead): ReelayError | null {
  if (status !== 200) return apiError('source_status', { status });
  const content = headers['content-encoding'] ?? '';
  const transfer = headers['transfer-encoding'] ?? '';
  const isPlain = (coding: string, usual: string) => ['', usual].includes(coding.trim().toLowerCase());
  if (!isPlain(content, 'identity') || !isPlain(transfer, 'chunked')) return apiError('source_compressed');
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (NO_VIDEO.test(type)) return apiError('source_not_video', { kind: kindOf(type) });
  // If the end of the connection is the end of the content, a truncated video appears complete.
  if (headers['content-length'] === undefined && transfer === '') return apiError('source_without_length');
  return null;
}

/** Our own name for the type: the type itself is the host's text. */
function kindOf(type: string): Message {
  if (type.includes('html')) return sourceText('html');
  return sourceText(type.includes('json') ? 'json' : type.includes('xml') ? 'xml' : 'text');
}

/** Announced content length in bytes; 0 if absent. Node has already rejected anything but digits. */
export function announcedBytes({ headers }: ResponseHead): number {
  return Number(headers['content-length'] ?? 0);
}
