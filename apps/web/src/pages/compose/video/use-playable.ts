/** A video as this browser can play it: itself, or a small version that the service makes. */
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../../queries/client.ts';
import { previewQuery } from '../../../queries/previews.ts';
import { previewUrl, type StoredVideo } from '../../../ui/stored-video.ts';
import type { VideoSource } from './read-facts.ts';
import { useFacts } from './use-facts.ts';
import type { VideoFacts } from './video-check.ts';

export interface Playable {
  /** What can be played once there are facts. */
  source: VideoSource | null;
  /** undefined while the browser reads the video; null if it cannot, or cannot yet. */
  facts: VideoFacts | null | undefined;
  /** How much of the small version is made, from 0 to 1; null if none is made now. */
  making: number | null;
}

/**
 * Reads the properties of a video. If the browser cannot play it and the service has it, a small version is ordered.
 * @param source null: none is read
 * @param stored null: the service does not have the video yet
 */
export function usePlayable(source: VideoSource | null, stored: StoredVideo | null): Playable {
  const own = useFacts(source);
  const wanted = own === null ? stored : null;
  const { of, id } = wanted ?? { of: 'upload', id: '' };
  const { data: preview, isPending } = useQuery({ ...previewQuery(useClient(), of, id), enabled: wanted !== null });
  const small = wanted && preview?.state === 'stored' ? previewUrl(wanted) : null;
  const facts = useFacts(small);
  if (own !== null || wanted === null) return { source, facts: own, making: null };
  if (small === null) {
    const isMade = isPending || preview?.state === 'making';
    return { source, facts: null, making: isMade ? (preview?.progress ?? 0) : null };
  }
  if (facts === undefined) return { source, facts: null, making: 1 };
  return { source: small, facts: facts && { ...facts, isPreview: true }, making: null };
}
