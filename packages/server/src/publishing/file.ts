/** Which file of a post's video goes to a platform: the one that was sent to us, or one made of it. Pure. */
import type { Capabilities } from '../connectors/contract.ts';
import { planRendition, type RenditionSpec, specKey } from '../media/rendition/plan.ts';
import type { VideoFacts } from '../media/types.ts';

/** A rendition that a target has. */
export interface TargetRendition {
  id: string;
  /** Of what it is to be; as `specKey` makes it. */
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
 * - `ready`: the target has the file that it needs.
 * - `original`: what was sent to us fits by now, and the target has another file.
 * - `wait`: what it needs is being made.
 * - `order`: what it needs has still to be ordered.
 * - `cannot`: nothing that the platform takes can be made of it.
 */
export type FileChoice =
  | { file: 'ready' }
  | { file: 'original' }
  | { file: 'wait' }
  | { file: 'order'; wanted: { key: string; spec: RenditionSpec }; why: string }
  | { file: 'cannot'; why: string };

/** @param original facts of the video as it was sent to us */
export function chooseFile(
  capabilities: Pick<Capabilities, 'video'>,
  original: VideoFacts,
  rendition: TargetRendition | null,
): FileChoice {
  const plan = planRendition(capabilities.video, original);
  if (plan.fits) return { file: rendition ? 'original' : 'ready' };
  const why = plan.why.join(' ');
  if (!plan.spec) return { file: 'cannot', why };
  const wanted = { key: specKey(plan.spec), spec: plan.spec };
  if (rendition?.key !== wanted.key) return { file: 'order', wanted, why };
  if (rendition.state === 'stored') return { file: 'ready' };
  if (rendition.state === 'making') return { file: 'wait' };
  return { file: 'cannot', why: `${why} It could not be converted: ${rendition.detail ?? 'no reason is known.'}` };
}
