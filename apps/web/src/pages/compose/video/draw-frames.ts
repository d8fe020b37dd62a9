/** Frames of a video in the browser. The file is never read as a whole. */

/** How long positions must stay the same before frames are drawn, in ms: each drawing opens the video again. */
export const SETTLED_MS = 300;

/** Time limit for one frame, in ms. It is long, because a busy device is slow. */
const FRAME_MS = 20_000;
/** Time limit for presenting a frame after `seeked`, in ms. Hidden pages present no frames. */
const PRESENT_MS = 300;

/** The middles of equal parts of the video, in seconds. */
export function frameTimes(seconds: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => ((index + 0.5) * seconds) / count);
}

/**
 * Draws one frame after another, with pauses in between, so that the page stays responsive. Stops if the browser cannot
 * seek in the video.
 * @param url of the video
 * @param canvases in the order of the times
 */
export async function drawFrames(
  url: string,
  canvases: readonly HTMLCanvasElement[],
  times: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  video.src = url;
  try {
    if (!(await happens(video, 'loadeddata', signal))) return;
    for (const [index, canvas] of canvases.entries()) {
      if (!(await seek(video, times[index] ?? 0, signal))) return;
      draw(video, canvas);
      canvas.dataset.drawn = '';
      await new Promise((resolve) => setTimeout(resolve));
    }
  } finally {
    // Releases the decoder.
    video.removeAttribute('src');
    video.load();
  }
}

/** Seeks to a time, in seconds. Chromium may present the frame after `seeked`; before, the old one is drawn. */
async function seek(video: HTMLVideoElement, time: number, signal: AbortSignal): Promise<boolean> {
  const presented = new Promise((resolve) => {
    // Browsers before 2025 may lack it.
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(resolve);
  });
  video.currentTime = time;
  if (!(await happens(video, 'seeked', signal))) return false;
  await Promise.race([presented, new Promise((resolve) => setTimeout(resolve, PRESENT_MS))]);
  return !signal.aborted;
}

/** Fills the canvas with the middle of the current frame. */
export function draw(video: HTMLVideoElement, canvas: HTMLCanvasElement): void {
  const { videoWidth, videoHeight } = video;
  const scale = Math.max(canvas.width / videoWidth, canvas.height / videoHeight);
  const [width, height] = [videoWidth * scale, videoHeight * scale];
  canvas.getContext('2d')?.drawImage(video, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
}

/** @returns false if it fails, times out or is aborted */
function happens(video: HTMLVideoElement, event: 'loadeddata' | 'seeked', signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const timer = setTimeout(() => resolve(false), FRAME_MS);
    const end = (isDone: boolean) => () => {
      clearTimeout(timer);
      resolve(isDone);
    };
    video.addEventListener(event, end(true), { once: true });
    video.addEventListener('error', end(false), { once: true });
    signal.addEventListener('abort', end(false), { once: true });
  });
}
