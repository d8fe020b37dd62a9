/** Parsers of arguments that several remote commands take. */
import { Option } from 'commander';
import { ERROR } from '../messages.ts';

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
