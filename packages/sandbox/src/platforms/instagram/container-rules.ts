/** Validates the parameters of a container. */
import type { SimulatorResponse } from '../../contract.ts';
import type { Parameters } from '../../graph/parameters.ts';
import { MINUTE } from '../../time.ts';
import type { Login } from './records.ts';
import { refuse } from './responses.ts';

const MAX_CAPTION = 2200;
const MAX_HASHTAGS = 30;
const MAX_MENTIONS = 20;
const MAX_COLLABORATORS = 3;
/** The maximum reel duration; no frame can have a higher offset. */
const MAX_OFFSET_MS = 15 * MINUTE;

export function parameterRefusal(parameters: Parameters, login: Login): SimulatorResponse | null {
  if (parameters.get('media_type') !== 'REELS') return refuse('100/2207023', 'The media_type is unknown.');
  const url = parameters.get('video_url');
  const resumable = parameters.get('upload_type');
  if (resumable !== undefined && resumable !== 'resumable') return refuse('100', 'upload_type must be "resumable".');
  if (resumable !== undefined && login === 'instagram') return refuse('100', 'upload_type needs Facebook Login.');
  if ((url === undefined) === (resumable === undefined)) return refuse('100', 'Give video_url or upload_type.');
  if (url !== undefined && !isFetchable(url))
    return refuse('9004/2207052', 'The media cannot be fetched from this URI.');
  for (const name of ['share_to_feed', 'is_ai_generated'])
    if (!['true', 'false', undefined].includes(parameters.get(name)))
      return refuse('100', `${name} must be a boolean.`);
  const offset = parameters.get('thumb_offset');
  if (offset !== undefined && (!/^\d+$/.test(offset) || Number(offset) > MAX_OFFSET_MS))
    return refuse('1/2207057', 'The thumbnail offset is out of range.');
  if (parameters.has('location_id') && login === 'instagram') return refuse('100', 'location_id needs Facebook Login.');
  const collaborators = jsonIn(parameters, 'collaborators');
  if (collaborators !== undefined && !isNames(collaborators)) return refuse('100', 'Name at most 3 collaborators.');
  const trial = jsonIn(parameters, 'trial_params') as { graduation_strategy?: unknown } | null | undefined;
  if (trial !== undefined && !['MANUAL', 'SS_PERFORMANCE'].includes(String(trial?.graduation_strategy)))
    return refuse('100', 'graduation_strategy must be MANUAL or SS_PERFORMANCE.');
  return null;
}

export function captionRefusal(caption: string): SimulatorResponse | null {
  if (caption.length > MAX_CAPTION) return refuse('36004/2207010', 'The caption is longer than 2,200 characters.');
  if (count(caption, /#[\p{L}\p{N}_]+/gu) > MAX_HASHTAGS)
    return refuse('100', 'The caption has more than 30 hashtags.');
  if (count(caption, /(?<![\p{L}\p{N}_])@[\p{L}\p{N}_.]+/gu) > MAX_MENTIONS)
    return refuse('100/2207040', 'The caption has more than 20 tags.');
  return null;
}

function isFetchable(url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is asked for
  return /^[\x00-\x7f]*$/.test(url) && /^https?:$/.test(URL.parse(url)?.protocol ?? '');
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_COLLABORATORS && value.every((each) => typeof each === 'string');
}

/** undefined if the parameter is absent, null if it is not JSON. */
function jsonIn(parameters: Parameters, name: string): unknown {
  const text = parameters.get(name);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
