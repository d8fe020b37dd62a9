/** The target of a repost at one destination. Pure. */
import type { Connector, JsonObject } from '../connectors/contract.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/timeline.ts';
import type { NewTarget } from '../posts/post-store.ts';
import { captionProblemWith } from '../publishing/suitability.ts';
import type { Destination } from './firing-store.ts';

/**
 * Creates the target at a destination, already failed if posting there is known to be impossible.
 * @param byHand whether the user asked for the repost, so that it does not wait for quiet hours
 */
export function targetFor(
  destination: Pick<Destination, 'accountId' | 'identityId' | 'status' | 'capabilities'>,
  { text, options }: { text: string; options: JsonObject },
  {
    refusal,
    connector,
    byHand,
  }: {
    refusal: Message | null;
    byHand: boolean;
    connector: Pick<Connector, 'countedText' | 'textProblem'> | undefined;
  },
): NewTarget {
  const { accountId, identityId, status, capabilities } = destination;
  const target = { id: uuidv7(), accountId, identityId, options, obeysQuietHours: !byHand };
  if (refusal)
    return { ...target, failure: { code: 'plan_limit_reached', detail: say('plan_limit', { reason: refusal }) } };
  if (status !== 'CONNECTED')
    return { ...target, failure: { code: 'reconnect_required', detail: say('account_disconnected') } };
  const problem =
    captionProblemWith(connector, capabilities, { text, options }) ?? connector?.textProblem?.(text) ?? null;
  return problem ? { ...target, failure: { code: 'caption_rejected', detail: problem } } : target;
}
