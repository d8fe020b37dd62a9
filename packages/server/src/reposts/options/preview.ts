/** Previews the caption of a repost on each destination, by the limits of its account. Pure. */
import type { Capabilities, Connector, JsonObject } from '../../connectors/contract.ts';
import { createCaptionCounter } from '../../connectors/kit/captions.ts';
import type { Message } from '../../messages/message.ts';
import { captionProblemWith } from '../../publishing/suitability.ts';
import type { RenderedCaption } from './caption.ts';

export interface PreviewDestination {
  accountId: string;
  capabilities: Pick<Capabilities, 'caption'>;
  /** The post options for this account. */
  options: JsonObject;
  connector: Pick<Connector, 'countedText' | 'textProblem'> | undefined;
}

export interface CaptionPreview {
  accountId: string;
  text: string;
  /** Length in the units of the platform, including options that count toward the limit. */
  count: number;
  limit: number;
  /** Why a repost with this text fails; null if it does not. */
  problem: Message | null;
}

/** Previews a rendered caption on each destination, with the checks of a post. */
export function previewCaption(
  { text, count, problem: tooLong }: RenderedCaption,
  destinations: readonly PreviewDestination[],
): CaptionPreview[] {
  const countOnce = createCaptionCounter();
  return destinations.map(({ accountId, capabilities, options, connector }) => {
    const limit = capabilities.caption;
    if (tooLong) return { accountId, text, count, limit: limit.maxLength, problem: tooLong };
    const counted = connector?.countedText?.(text, options) ?? text;
    return {
      accountId,
      text,
      count: countOnce(counted, limit),
      limit: limit.maxLength,
      problem:
        captionProblemWith(connector, capabilities, { text, options }, countOnce) ??
        connector?.textProblem?.(text) ??
        null,
    };
  });
}
