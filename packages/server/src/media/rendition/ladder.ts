/** A small set of sizes and bit rates for renditions, so that platforms with similar limits share one file. Pure. */
import { even } from '../commands.ts';
import type { VideoFacts } from '../types.ts';
import { findMisfits } from './findings.ts';
import type { VideoLimits } from './limits.ts';
import type { RenditionSpec } from './spec.ts';

/** Maximum bit rates in bits per second, the default first. At that rate and CRF 21, 1080p is rarely limited. */
export const RATES: readonly number[] = [
  16, 12.5, 10, 8, 6.4, 5, 4, 3.2, 2.5, 2, 1.6, 1.25, 1, 0.8, 0.64, 0.5, 0.4, 0.32, 0.25,
].map((mega) => mega * 1e6);

/** Common frame rates that players and platforms support. */
const USUAL_FPS: readonly number[] = [24, 25, 30, 50, 60];

/** Sizes by pixel count: 1080 × 1920, 720 × 1280, 540 × 960 and so on, in any shape. */
const FRAMES: readonly number[] = [1080 * 1920, 720 * 1280, 540 * 960, 360 * 640, 270 * 480, 180 * 320];
const WATCHABLE_AT_ANY_RATE = 540 * 960 * 1.02;
/** Bits per pixel below which the next smaller size has better quality. */
const MIN_BITS_A_PIXEL = 0.05;

interface Frame {
  width: number;
  height: number;
}

/**
 * Returns whether the maximum rate has enough bits for this size. Frames beyond 30 per second resemble their neighbors
 * and count less.
 */
export function isWatchable({ video }: RenditionSpec): boolean {
  if (video === 'copy') return true;
  const pixels = video.width * video.height;
  return pixels <= WATCHABLE_AT_ANY_RATE || video.maxRate >= MIN_BITS_A_PIXEL * pixels * Math.min(video.fps, 30);
}

/**
 * The common frame rate within the limits that is closest to the video's mean; null if no common rate is within them.
 */
export function rateFor(limits: Pick<VideoLimits, 'minFps' | 'maxFps'>, { fps }: VideoFacts): number | null {
  const { minFps = 0, maxFps = Number.POSITIVE_INFINITY } = limits;
  const allowed = USUAL_FPS.filter((usual) => usual >= minFps && usual <= maxFps);
  // For 100 or 120 frames per second, dropping every second or fourth frame is smoothest.
  const divided = fps > 65 ? allowed.filter((usual) => fps / usual === Math.round(fps / usual)).at(-1) : undefined;
  return divided ?? nearest(allowed, fps);
}

function nearest(values: readonly number[], wanted: number): number | null {
  const [first = null] = [...values].sort((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted));
  return first;
}

/**
 * Sizes to try, best first: the video's own unless it exceeds our largest, then smaller ones, then larger ones in
 * ascending order. A shape that is not allowed gets bars to 9:16.
 */
export function framesFor(limits: VideoLimits, facts: VideoFacts): [Frame, ...Frame[]] {
  const shapeFits = !findMisfits(limits, facts).some(({ rule }) => rule === 'minAspect' || rule === 'maxAspect');
  const shape = shapeFits ? facts.width / facts.height : 9 / 16;
  const isUpright = Math.abs(shape / (9 / 16) - 1) <= 0.0101;
  const rungs = FRAMES.map((pixels) => frameOf(pixels, isUpright ? 9 / 16 : shape));
  const own = shapeFits ? ownFrame(facts, rungs) : frameOf(Math.min(pixelsOf(facts), FRAMES[0] ?? 0), shape);
  const smaller = rungs.filter((rung) => pixelsOf(rung) < pixelsOf(own));
  const larger = rungs.filter((rung) => pixelsOf(rung) > pixelsOf(own)).reverse();
  return [own, ...smaller, ...larger];
}

/** Replaces a size that is close to one of ours by ours. */
function ownFrame(facts: VideoFacts, rungs: readonly Frame[]): Frame {
  const near = rungs.find(({ width, height }) => isNear(facts.width, width) && isNear(facts.height, height));
  const largest = rungs[0];
  if (near) return near;
  return largest && pixelsOf(facts) > pixelsOf(largest)
    ? largest
    : { width: even(facts.width), height: even(facts.height) };
}

function frameOf(pixels: number, shape: number): Frame {
  return { width: even(Math.sqrt(pixels * shape)), height: even(Math.sqrt(pixels / shape)) };
}

const isNear = (one: number, other: number) => Math.abs(one / other - 1) <= 0.0101;
const pixelsOf = ({ width, height }: Frame) => width * height;
