/** A video as this browser can play it: itself, or a small version that the service makes. */
import type { StoredVideo } from '../../../ui/stored-video.ts';
import { usePreview } from '../../../ui/use-preview.ts';
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
  const preview = usePreview(own === null ? stored : null);
  const facts = useFacts(preview.url);
  if (preview.url === null) return { source, facts: own, making: preview.making };
  if (facts === undefined) return { source, facts: null, making: 1 };
  return { source: preview.url, facts: facts && { ...facts, isPreview: true }, making: null };
}
