/** What an answer's head tells about the video behind it. Pure. */
import type { IncomingHttpHeaders } from 'node:http';

export interface AnswerHead {
  status: number;
  headers: IncomingHttpHeaders;
}

/** Media types of pages, texts and data. What calls itself a video, or nothing known, is looked at by its bytes later. */
const NO_VIDEO = /^(?:text\/|application\/(?:json|xml|xhtml\+xml|[\w.-]+\+(?:json|xml))$)/;

/** A sentence about why the answer holds no video as it is, or null. */
export function answerProblem({ status, headers }: AnswerHead): string | null {
  if (status !== 200) return `The address of the video answered with status ${status}.`;
  const content = headers['content-encoding'] ?? '';
  const transfer = headers['transfer-encoding'] ?? '';
  const isPlain = (coding: string, usual: string) => ['', usual].includes(coding.trim().toLowerCase());
  if (!isPlain(content, 'identity') || !isPlain(transfer, 'chunked'))
    return 'The address of the video answered with content that is compressed, though that was not asked for.';
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (NO_VIDEO.test(type)) return `The address of the video answered with ${kindOf(type)}, not with a video.`;
  // Where the end of the connection is the end of the content, a part of a video passes for the whole.
  if (headers['content-length'] === undefined && transfer === '')
    return 'The address of the video answered without saying how long the content is.';
  return null;
}

/** What we call it: the type itself is the host's text. */
function kindOf(type: string): string {
  if (type.includes('html')) return 'a web page';
  return type.includes('json') ? 'JSON' : type.includes('xml') ? 'XML' : 'text';
}

/** Announced bytes of the content; 0 when not told. Node has refused anything but digits by now. */
export function announcedBytes({ headers }: AnswerHead): number {
  return Number(headers['content-length'] ?? 0);
}
