import { apiError, ReelayError } from '../../errors/reelay-error.ts';
import { nearest } from '../../lib/nearest.ts';
import { unifyLineBreaks } from '../../lib/text.ts';
import { decodeText, parseDisposition } from './disposition.ts';
import type { PartHandler, PartHeader } from './parts.ts';

/** Maximum size of a text field, in bytes: three times the longest description. */
export const MAX_FIELD = 64 * 1024;
/** Maximum number of text fields per form. */
export const MAX_FIELDS = 128;

/** The name of the only file field. */
export const VIDEO = 'video';

export interface CollectorOptions {
  /** Names of the text fields that the operation accepts. */
  allowed: readonly string[];
  /** Those that may be repeated. */
  repeatable: readonly string[];
  /** Called when the file begins; the returned handler receives its bytes. */
  openVideo(filename: string | undefined): PartHandler;
}

export interface FormCollector {
  readonly fields: Map<string, string[]>;
  /**
   * Resolves when the file begins, with the fields before it. The text of the last one arrives slightly after the next
   * part begins, but never needs more of the body: the caller may hold the body back meanwhile.
   */
  readonly beforeVideo: Promise<ReadonlyMap<string, readonly string[]>>;
  /** Whether the file field has arrived. */
  hasVideo(): boolean;
  /**
   * Returns the handler for a part, by its header.
   * @throws ReelayError if the part is not acceptable
   */
  onPart(header: PartHeader): PartHandler;
}

/** Creates a collector that accepts or rejects each part as soon as its header is known. */
export function createFormCollector(options: CollectorOptions): FormCollector {
  const fields = new Map<string, string[]>();
  const texts: Promise<readonly [name: string, text: string]>[] = [];
  const beforeVideo = Promise.withResolvers<ReadonlyMap<string, readonly string[]>>();
  let hasVideo = false;

  function openVideo(filename: string | undefined, contentType: string | undefined): PartHandler {
    // Some clients send no file name; a media type other than text also identifies a file.
    if (filename === undefined && /^(\s*text\/.*)?$/is.test(contentType ?? '')) {
      throw apiError('video_not_file');
    }
    if (hasVideo) throw new ReelayError('several_videos');
    hasVideo = true;
    beforeVideo.resolve(Promise.all(texts).then(valuesByName));
    return options.openVideo(filename === '' ? undefined : filename);
  }

  function openField(name: string, filename: string | undefined): PartHandler {
    const label = JSON.stringify(name.slice(0, 60));
    if (!options.allowed.includes(name)) throw unknownField(name, label, options);
    // FormData of browsers and Node gives this name to each Blob, and generated clients send JSON as a Blob.
    if (filename !== undefined && filename !== 'blob') throw apiError('form_field_is_file', { label });
    const values = fields.get(name) ?? [];
    // Checked and counted when the field begins; its text arrives later.
    if (fields.has(name) && !options.repeatable.includes(name)) throw apiError('form_field_repeated', { label });
    fields.set(name, values);
    const ended = Promise.withResolvers<readonly [string, string]>();
    texts.push(ended.promise);
    if (texts.length > MAX_FIELDS) throw apiError('form_too_many_fields', { limit: MAX_FIELDS });
    return textHandler(label, (text) => {
      values.push(text);
      ended.resolve([name, text]);
    });
  }

  return {
    fields,
    beforeVideo: beforeVideo.promise,
    hasVideo: () => hasVideo,
    onPart(header) {
      const disposition = header.get('content-disposition');
      const parsed = disposition.length === 1 ? parseDisposition(disposition[0] ?? '') : null;
      if (parsed === null) throw apiError('part_without_name');
      if (parsed === 'not-utf8') throw apiError('part_name_not_utf8');
      const encoding = header.get('content-transfer-encoding')[0];
      if (encoding !== undefined && !/^\s*(7bit|8bit|binary)\s*$/i.test(encoding)) {
        throw apiError('part_with_encoding');
      }
      return parsed.name === VIDEO
        ? openVideo(parsed.filename, header.get('content-type')[0])
        : openField(parsed.name, parsed.filename);
    },
  };
}

/** Many form libraries send lists as `name[]`, `name[0]` or `name.0`. */
function unknownField(
  name: string,
  label: string,
  { allowed, repeatable }: Pick<CollectorOptions, 'allowed' | 'repeatable'>,
): ReelayError {
  const list = name.replace(/(?:\[\d*\]|\.\d+)$/, '');
  if (repeatable.includes(list)) return apiError('form_field_indexed', { label, known: JSON.stringify(list) });
  const near = nearest(name, [VIDEO, ...allowed]);
  if (near !== null) return apiError('form_field_unknown_near', { label, near });
  const known = [VIDEO, ...allowed].map((each) => JSON.stringify(each)).join(', ');
  return apiError('form_field_unknown', { label, known });
}

function valuesByName(texts: readonly (readonly [name: string, text: string])[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, text] of texts) values.set(name, [...(values.get(name) ?? []), text]);
  return values;
}

function textHandler(label: string, keep: (text: string) => void): PartHandler {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    data(chunk) {
      bytes += chunk.length;
      if (bytes > MAX_FIELD) throw apiError('form_field_too_long', { label, limit: MAX_FIELD / 1024 });
      chunks.push(chunk);
    },
    end() {
      const text = decodeText(Buffer.concat(chunks));
      if (text === null) throw apiError('form_field_not_text', { label });
      keep(unifyLineBreaks(text));
    },
  };
}
