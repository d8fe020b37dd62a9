/** A parsed `Content-Disposition` header. */
export interface Disposition {
  name: string;
  /** Base name only. Present, possibly empty, if the part is a file. */
  filename?: string;
}

/**
 * Parses `form-data; name="…"; filename="…"` (RFC 7578, 4.2), given as raw bytes in latin1. Returns null if it is
 * malformed or has no name. Browsers encode quotes and line breaks as `%22`, `%0D` and `%0A` (HTML
 * standard, multipart/form-data encoding algorithm).
 */
export function parseDisposition(header: string): Disposition | 'not-utf8' | null {
  const kind = /^\s*form-data\s*/i.exec(header);
  if (kind === null) return null;
  const parameters = new Map<string, string>();
  const parameter = /\s*;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)"|([^\s;"]*))\s*/y;
  let at = kind[0].length;
  while (at < header.length) {
    parameter.lastIndex = at;
    const match = parameter.exec(header);
    const key = match?.[1]?.toLowerCase();
    if (match === null || key === undefined || parameters.has(key)) return null;
    parameters.set(key, unescapeQuoted(match[2] ?? match[3] ?? ''));
    at = parameter.lastIndex;
  }
  const name = toUtf8(parameters.get('name'));
  const filename = toUtf8(parameters.get('filename'));
  if (name === null || filename === null) return 'not-utf8';
  if (name === undefined) return null;
  return filename === undefined ? { name } : { name, filename: filename.replace(/^.*[\\/]/s, '') };
}

function unescapeQuoted(text: string): string {
  return text
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0d/gi, '\r')
    .replace(/%0a/gi, '\n');
}

/** Null if not UTF-8, or if it contains U+0000. */
function toUtf8(latin1: string | undefined): string | null | undefined {
  return latin1 === undefined ? undefined : decodeText(Buffer.from(latin1, 'latin1'));
}

/** Decodes UTF-8; null if the bytes are invalid or contain U+0000. */
export function decodeText(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Returns the boundary of a multipart/form-data media type (RFC 2046, 5.1.1: 1 to 70 characters, no trailing space).
 * Null for another media type; `''` if the boundary is missing or malformed.
 */
export function parseBoundary(contentType: string | undefined): string | null {
  if (!/^\s*multipart\/form-data\s*(;|$)/i.test(contentType ?? '')) return null;
  const match = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]*))/i.exec(contentType ?? '');
  const boundary = match?.[1] ?? match?.[2] ?? '';
  return /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/.test(boundary) ? boundary : '';
}
