/** Parsers of arguments that several remote commands take. */
import { Option } from 'commander';
import { ERROR } from '../messages.ts';

/** Ways to convert a video of another shape to 9:16. */
export const FITS = ['pad', 'blur', 'crop'] as const;

export const machine = () => new Option('--json', 'print JSON');

/** Parses ids separated by commas. The option may be repeated. */
export function listOf(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((each) => each.trim())].filter(Boolean);
}

export function numberOf(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new Error(ERROR.notNumber(text));
  return number;
}

/** A part of the video, in seconds. */
export interface Trim {
  trimStart?: number;
  trimEnd?: number;
}

/** Parses `5-35.5`, `5-` or `-60`. */
export function trimOf(text: string): Trim {
  const [from = '', to = '', ...more] = text.trim().split('-');
  if (!text.includes('-') || more.length > 0 || (from === '' && to === '')) throw new Error(ERROR.notPart(text));
  return {
    ...(from === '' ? {} : { trimStart: numberOf(from) }),
    ...(to === '' ? {} : { trimEnd: numberOf(to) }),
  };
}
