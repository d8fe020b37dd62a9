/** Chooses the file for a platform: the original video or a rendition. Pure. */
import type { Capabilities } from '../connectors/contract.ts';
import { planRendition, type RenditionSpec, specKey } from '../media/rendition/plan.ts';
import type { VideoFacts } from '../media/types.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/timeline.ts';

/** A target's rendition. */
export interface TargetRendition {
  id: string;
  /** Identifies the specification; created by `specKey`. */
  key: string;
  state: 'making' | 'stored' | 'failed';
  /** 0 to 1 */
  progress: number;
  /** Why it cannot be made. */
  detail: string | null;
  /** ms since the epoch by the database's clock */
  orderedAt: number;
}

/**
 * - `ready`: the target has the file it needs.
 * - `original`: the original now fits, but the target has a rendition.
 * - `wait`: the rendition is being made.
 * - `order`: a rendition must be queued.
 * - `cannot`: no rendition can meet the platform's limits.
 */
export type FileChoice =
  | { file: 'ready' }
  | { file: 'original' }
  | { file: 'wait' }
  | { file: 'order'; wanted: { key: string; spec: RenditionSpec }; why: Message }
  | { file: 'cannot'; why: Message };

/** @param original properties of the original video */
export function chooseFile(
  capabilities: Pick<Capabilities, 'video'>,
  original: VideoFacts,
  rendition: TargetRendition | null,
): FileChoice {
  const plan = planRendition(capabilities.video, original);
  if (plan.fits) return { file: rendition ? 'original' : 'ready' };
  const { why } = plan;
  if (!plan.spec) return { file: 'cannot', why };
  const wanted = { key: specKey(plan.spec), spec: plan.spec };
  if (rendition?.key !== wanted.key) return { file: 'order', wanted, why };
  if (rendition.state === 'stored') return { file: 'ready' };
  if (rendition.state === 'making') return { file: 'wait' };
  return {
    file: 'cannot',
    why: say('file_not_converted', { reason: why, detail: rendition.detail ?? 'The reason is unknown.' }),
  };
}
