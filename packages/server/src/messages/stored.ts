/** Limits messages to what the database accepts. */
import { cleanText, TEXT_LIMITS } from '../lib/text.ts';
import type { MessageParam, MessageParams, MessageRef } from './message.ts';

/** Depth of messages inside messages. Deeper ones are dropped. */
const MAX_DEPTH = 5;

/** Code and parameters as the database can store them: texts are cleaned and limited. */
export function storedMessage({ code, params }: MessageRef, depth = 0): MessageRef {
  if (depth >= MAX_DEPTH) return { code, params: {} };
  const stored = Object.entries(params).map(([name, value]) => [name, storedParam(value, depth + 1)]);
  return { code, params: Object.fromEntries(stored) as MessageParams };
}

function storedParam(value: MessageParam, depth: number): MessageParam {
  if (typeof value === 'string') return cleanText(value, TEXT_LIMITS.sentence);
  if (typeof value === 'number') return value;
  return 'code' in value ? storedMessage(value, depth) : value.map((each) => storedMessage(each, depth));
}
