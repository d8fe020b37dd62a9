/** The length of a caption as a platform counts it, also if the caption or the options are invalid. Pure. */

import type { Connector, JsonObject } from '../connectors/contract.ts';
import { type CountCaption, createCaptionCounter } from '../connectors/kit/captions.ts';
import type { Message } from '../messages/message.ts';
import { captionProblemWith } from '../publishing/suitability.ts';
import type { Wanted } from './accounts.ts';
import { sentFor } from './options.ts';
import type { PostAccount } from './post-store.ts';

export interface CaptionCount {
  id: string;
  length: number;
  limit: number;
  unit: 'characters' | 'bytes';
  problem: Message | null;
}

type Counted = Pick<PostAccount, 'id' | 'platform' | 'capabilities'>;

/** The text for this account and its options, unchecked. */
export function textFor(
  account: Counted,
  { description = '', options: sent = {} }: Pick<Wanted, 'description' | 'options'>,
): { text: string; options: JsonObject } {
  const { caption, ...options } = sentFor(account, sent);
  return { text: typeof caption === 'string' ? caption : description, options };
}

/** Counts bytes instead of characters if that limit is nearer. */
export function countCaption(
  account: Counted,
  wanted: Pick<Wanted, 'description' | 'options'>,
  connector: Pick<Connector, 'countedText' | 'textProblem'> | undefined,
  count: CountCaption,
): CaptionCount {
  const { caption: limit } = account.capabilities;
  const caption = textFor(account, wanted);
  const counted = connector?.countedText?.(caption.text, caption.options) ?? caption.text;
  const problem =
    captionProblemWith(connector, account.capabilities, caption, count) ??
    connector?.textProblem?.(caption.text) ??
    null;
  const length = count(counted, limit);
  const bytes = Buffer.byteLength(counted);
  const { id } = account;
  const isNear = limit.maxBytes !== undefined && bytes / limit.maxBytes > length / limit.maxLength;
  const shown =
    isNear && limit.maxBytes !== undefined
      ? { length: bytes, limit: limit.maxBytes, unit: 'bytes' as const }
      : { length, limit: limit.maxLength, unit: 'characters' as const };
  return { id, ...shown, problem };
}

/** Counts the captions of several accounts, equal ones of one platform once. */
export function countCaptions(
  accounts: readonly Counted[],
  wanted: Pick<Wanted, 'description' | 'options'>,
  connectors: Readonly<Record<string, Pick<Connector, 'countedText' | 'textProblem'>>>,
): CaptionCount[] {
  const count = createCaptionCounter();
  return accounts.map((account) => countCaption(account, wanted, connectors[account.platform], count));
}
