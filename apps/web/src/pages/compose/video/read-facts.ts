import type { VideoFacts } from './video-check.ts';

/** A file of this device, or the URL of a stored video. */
export type VideoSource = File | string;

/** Time limits for reading the header of a video, in ms. */
const LIMIT_MS = { file: 10_000, url: 30_000 } as const;

/** Reads size and length of a video from its header, not the whole video. @returns null if the browser cannot read it */
export function readFacts(source: VideoSource): Promise<VideoFacts | null> {
  const isFile = typeof source !== 'string';
  const url = isFile ? URL.createObjectURL(source) : source;
  const video = document.createElement('video');
  const { promise, resolve } = Promise.withResolvers<VideoFacts | null>();
  const timer = setTimeout(() => resolve(null), isFile ? LIMIT_MS.file : LIMIT_MS.url);
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
    if (isFile) URL.revokeObjectURL(url);
  });
}
