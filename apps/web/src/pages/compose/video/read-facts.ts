import type { VideoFacts } from './video-check.ts';

/** Time limit for reading the header of a video, in ms. */
const LIMIT_MS = 10_000;

/** Reads size and length of a video from its header, not the whole file. @returns null if the browser cannot read it */
export function readFacts(file: File): Promise<VideoFacts | null> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  const { promise, resolve } = Promise.withResolvers<VideoFacts | null>();
  const timer = setTimeout(() => resolve(null), LIMIT_MS);
  video.muted = true;
  video.preload = 'metadata';
  video.onloadedmetadata = () => {
    const { videoWidth: width, videoHeight: height, duration } = video;
    resolve(width > 0 && height > 0 ? { width, height, seconds: Number.isFinite(duration) ? duration : null } : null);
  };
  video.onerror = () => resolve(null);
  video.src = url;
  return promise.finally(() => {
    clearTimeout(timer);
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  });
}
