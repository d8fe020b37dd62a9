/** Parses the form fields of a new post. Pure. */
import type { JsonObject } from '../../connectors/contract.ts';
import { apiError, ReelayError } from '../../errors/reelay-error.ts';
import { isUuid } from '../../lib/ids.ts';
import { type Adjustments, FITS, type Fit, NO_ADJUSTMENTS } from '../../media/types.ts';
import { adjustmentsOf } from '../../posts/adjustments.ts';
import { refuseLongDescription } from '../../posts/description.ts';
import type { SentOptions } from '../../posts/options.ts';
import type { PostFields, VideoSource } from '../../posts/types.ts';
import { MAX_SECONDS } from './adjustment-schema.ts';
import { parseJsonField } from './json-field.ts';

/** Text fields of the form, besides the file. */
export const POST_FIELDS = [
  'platforms',
  'description',
  'previewTime',
  'scheduled',
  'fit',
  'cropPosition',
  'trimStart',
  'trimEnd',
  'options',
  'uploadId',
  'videoUrl',
] as const;

/** Maximum accounts of one post. */
export const MAX_PLATFORMS = 50;

type Sent = ReadonlyMap<string, readonly string[]>;

/** Parses the complete form. @throws ReelayError `invalid_request` or `preview_time_out_of_range`, naming the field */
export function parsePostFields(sent: Sent): PostFields {
  const { platforms, ...rest } = parseFields(sent);
  if (!platforms) throw apiError('form_field_missing', { name: 'platforms' });
  const none = { description: '', previewTime: 0, scheduled: null, options: {}, source: null };
  return { ...none, ...NO_ADJUSTMENTS, ...rest, platforms };
}

/**
 * Parses the fields before the file; others may follow it. Omits the options while more accounts may follow, because
 * options of an account that is not selected are an error. Throws as {@link parsePostFields}.
 */
export function parseEarlyFields(sent: Sent): Partial<PostFields> {
  const { options, ...rest } = parseFields(sent);
  return sent.get('platforms')?.every(isUuid) ? rest : { options, ...rest };
}

function parseFields(sent: Sent): Partial<PostFields> {
  const read: Read = (name, parse) => {
    const text = sent.get(name)?.[0];
    return text === undefined ? undefined : parse(text);
  };
  const platforms = sent.get('platforms');
  const found = {
    platforms: platforms && parsePlatforms(platforms),
    description: read('description', parseDescription),
    previewTime: read('previewTime', parsePreviewTime),
    scheduled: read('scheduled', parseScheduled),
    ...parseAdjustments(read),
    options: read('options', parseOptions),
    source: parseSource(sent),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

type Read = <T>(name: (typeof POST_FIELDS)[number], parse: (text: string) => T) => T | undefined;

/** Without fields that are absent. */
function parseAdjustments(read: Read): { [name in keyof Adjustments]: Adjustments[name] | undefined } {
  const [fit, cropPosition] = [read('fit', parseFit), read('cropPosition', parseCropPosition)];
  const [trimStart, trimEnd] = (['trimStart', 'trimEnd'] as const).map((name) =>
    read(name, (text) => parseSeconds(text, name)),
  );
  const { trim } = adjustmentsOf({ trimStart, trimEnd });
  return { fit, cropPosition, trim: trim ?? undefined };
}

/** Returns whether the video is not in the form. */
export function namesSource(sent: Sent): boolean {
  return sent.has('uploadId') || sent.has('videoUrl');
}

function parseSource(sent: Sent): VideoSource | undefined {
  const [uploadId] = sent.get('uploadId') ?? [];
  const [videoUrl] = sent.get('videoUrl') ?? [];
  if (uploadId !== undefined && videoUrl !== undefined) throw apiError('two_sources');
  for (const [name, text] of Object.entries({ uploadId, videoUrl }))
    if (text === '') throw apiError('form_field_empty', { name });
  if (videoUrl !== undefined && videoUrl.length > MAX_ADDRESS_LENGTH)
    throw apiError('video_url_too_long', { limit: MAX_ADDRESS_LENGTH });
  if (uploadId !== undefined) return { uploadId };
  return videoUrl === undefined ? undefined : { videoUrl };
}

const MAX_ADDRESS_LENGTH = 4_096;

/**
 * Parses one value (a JSON array or a single id) or several values (one id each). The limit applies before duplicates
 * are removed.
 */
function parsePlatforms(values: readonly string[]): string[] {
  const [only = ''] = values;
  const ids = values.length === 1 && !isUuid(only) ? parseJsonArray(only) : values;
  if (ids.length < 1 || ids.length > MAX_PLATFORMS) throw apiError('platforms_count', { limit: MAX_PLATFORMS });
  return [...new Set(ids)];
}

function parseJsonArray(text: string): string[] {
  const value = parseJsonField('platforms', text);
  if (Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '')) return value;
  throw apiError('platforms_not_strings');
}

function parseDescription(text: string): string {
  refuseLongDescription(text);
  return text;
}

/** Maximum length of a number, in characters. */
const MAX_NUMBER_LENGTH = 20;

/** @returns null if it is no finite number that is not negative */
function parseNumber(text: string): number | null {
  const isNumber = text.length <= MAX_NUMBER_LENGTH && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text);
  const value = isNumber ? Number(text) : Number.NaN;
  return Number.isFinite(value) && value >= 0 ? value : null;
}

function parsePreviewTime(text: string): number {
  const seconds = parseNumber(text);
  if (seconds === null) throw new ReelayError('preview_time_out_of_range');
  return seconds;
}

function parseSeconds(text: string, name: string): number {
  const seconds = parseNumber(text);
  if (seconds === null || seconds > MAX_SECONDS) throw apiError('trim_not_seconds', { name });
  return seconds;
}

function parseCropPosition(text: string): number {
  const position = parseNumber(text);
  if (position === null || position > 1) throw apiError('crop_position_unknown');
  return position;
}

function parseScheduled(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw apiError('scheduled_not_number');
  return Number(text);
}

function parseFit(text: string): Fit {
  const fit = FITS.find((each) => each === text);
  if (fit === undefined) throw apiError('fit_unknown');
  return fit;
}

/** @throws ReelayError `invalid_request` if it is not an object of objects */
export function parseOptions(text: string): SentOptions {
  const value = parseJsonField('options', text);
  if (!isObject(value)) throw apiError('options_not_object');
  for (const [name, each] of Object.entries(value))
    if (!isObject(each)) throw apiError('options_entry_not_object', { name: name.slice(0, 100) });
  return value as SentOptions;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
