import { useEffect, useState } from 'react';
import { readFacts, type VideoSource } from './read-facts.ts';
import type { VideoFacts } from './video-check.ts';

/**
 * Reads the properties of a video.
 * @param source null: none is read
 * @returns undefined while they are read; null if the browser cannot read the video
 */
export function useFacts(source: VideoSource | null): VideoFacts | null | undefined {
  const [read, setRead] = useState<{ source: VideoSource; facts: VideoFacts | null } | null>(null);
  useEffect(() => {
    if (source === null) return;
    let isCurrent = true;
    void readFacts(source).then((facts) => isCurrent && setRead({ source, facts }));
    return () => {
      isCurrent = false;
    };
  }, [source]);
  return source !== null && read?.source === source ? read.facts : undefined;
}
