/** Creates videos that the service accepts. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { VideoFacts } from '../../packages/server/src/media/types.ts';

const run = promisify(execFile);

export interface VideoOptions {
  seconds: number;
  width: number;
  height: number;
  /** Bit rate of the video stream; absent: the encoder's default. */
  bitsPerSecond?: number;
  /** A single color instead of a moving test pattern, for a small file. */
  plain?: boolean;
}

/** Creates a moving test pattern (or one color) with a tone, as H.264 and AAC in MP4. */
export async function makeVideo(path: string, options: VideoOptions): Promise<void> {
  const { seconds, width, height, bitsPerSecond, plain } = options;
  const card = `${plain ? 'color=c=0x204060:' : 'testsrc2='}size=${width}x${height}:rate=25:duration=${seconds}`;
  const tone = `sine=frequency=440:sample_rate=44100:duration=${seconds}`;
  const noise = bitsPerSecond ? ['-vf', 'noise=alls=60:allf=t'] : [];
  const rate = bitsPerSecond ? ['-b:v', `${bitsPerSecond}`, '-minrate', `${bitsPerSecond}`] : [];
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '125', '-pix_fmt', 'yuv420p', ...noise, ...rate];
  const inputs = ['-f', 'lavfi', '-i', card, '-f', 'lavfi', '-i', tone];
  const output = ['-c:a', 'aac', '-movflags', '+faststart', '-y', path];
  await run(process.env.FFMPEG_PATH ?? 'ffmpeg', ['-nostdin', '-v', 'error', ...inputs, ...video, ...output]);
}

/** Creates a JPEG of the size of a thumbnail. */
export async function makePicture(path: string): Promise<void> {
  const card = ['-f', 'lavfi', '-i', 'testsrc2=size=360x640', '-frames:v', '1', '-update', '1', '-y', path];
  await run(process.env.FFMPEG_PATH ?? 'ffmpeg', ['-nostdin', '-v', 'error', ...card]);
}

/** Creates a video of about 20 kB, with the metadata that rows need. */
export async function smallVideo(path: string): Promise<{ sha256: Buffer; facts: VideoFacts }> {
  await makeVideo(path, { seconds: 4, width: 360, height: 640, plain: true });
  const bytes = await readFile(path);
  const facts: VideoFacts = {
    bytes: bytes.length,
    container: 'mp4',
    mime: 'video/mp4',
    durationMs: 4_000,
    lastFrameMs: 3_960,
    width: 360,
    height: 640,
    codedWidth: 360,
    codedHeight: 640,
    rotation: 0,
    fps: 25,
    videoCodec: 'h264',
    audioCodec: 'aac',
    pixelFormat: 'yuv420p',
    hdr: false,
    hasAudio: true,
  };
  return { sha256: createHash('sha256').update(bytes).digest(), facts };
}
