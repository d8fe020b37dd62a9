import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Properties of a test video; all have defaults. */
export interface VideoOptions {
  /** Length in seconds; default 4. */
  seconds?: number;
  /** Stored size in pixels; default 180 × 320. */
  width?: number;
  height?: number;
  /** Frames per second; default 10. */
  fps?: number;
  /** Whether it has an audio track (a tone); default true. */
  audio?: boolean;
  /** File name extension, which selects the container; default `mp4`. */
  extension?: 'mp4' | 'mov' | '3gp' | 'mkv' | 'webm' | 'ts' | 'avi' | 'flv';
  /** Makes otherwise equal videos differ in their bytes and hash. */
  seed?: number;
  /** A moving test card, or one color (much smaller and faster); default `card`. */
  picture?: 'card' | 'plain';
  /** ffmpeg arguments before the output, to override the container's defaults. */
  extra?: readonly string[];
}

const CODECS: Record<NonNullable<VideoOptions['extension']>, readonly string[]> = {
  mp4: ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-movflags', '+faststart'],
  mov: ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  '3gp': ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  mkv: ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  webm: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
  ts: ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  avi: ['-c:v', 'mpeg4', '-c:a', 'mp2'],
  flv: ['-c:v', 'flv', '-c:a', 'aac', '-ar', '44100'],
};

/**
 * Creates a small real video with ffmpeg and returns its path. The default is accepted by the service: 4 seconds, 9:16,
 * with audio, about 150 kB, created in about 0.2 s. Equal options return the same file. It is cached in the system's
 * temporary directory for later runs: never change or remove it, copy it first. Different `seed`s give different
 * hashes.
 */
export async function makeVideo(options: VideoOptions = {}): Promise<string> {
  const { seconds = 4, width = 180, height = 320, fps = 10, audio = true, extension = 'mp4', seed = 0 } = options;
  const card = `testsrc2=size=${width}x${height}:rate=${fps}:duration=${seconds}`;
  const plain = `color=c=0x${(0x204060 + seed).toString(16)}:size=${width}x${height}:rate=${fps}:duration=${seconds}`;
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=${440 + seed}:sample_rate=44100:duration=${seconds}`];
  const input = ['-f', 'lavfi', '-i', options.picture === 'plain' ? plain : card, ...(audio ? tone : [])];
  // Key frames at most 5 s apart, as platforms require.
  const keys = CODECS[extension].includes('libx264') ? ['-g', String(Math.max(1, Math.floor(5 * fps)))] : [];
  const label = [...keys, '-pix_fmt', 'yuv420p', '-metadata', `comment=seed ${seed}`];
  return runFfmpeg(extension, [...input, ...CODECS[extension], ...label, ...(options.extra ?? [])]);
}

/** A 9:16 video of the given length: {@link makeVideo} with the length first. */
export function vertical(seconds: number, options: Omit<VideoOptions, 'seconds'> = {}): Promise<string> {
  return makeVideo({ ...options, seconds });
}

/** A 9:16 video that is red for `redSeconds` and then blue, so that a frame shows its time. */
export function redThenBlue(redSeconds: number, blueSeconds: number, extension: 'mp4' | 'mkv' | 'webm' | 'ts' | 'flv') {
  const colour = (name: string, length: number) => `color=c=${name}:size=180x320:rate=10:duration=${length}`;
  const graph = `${colour('red', redSeconds)}[a];${colour('blue', blueSeconds)}[b];[a][b]concat`;
  const codec = extension === 'webm' ? CODECS.webm : CODECS.mp4;
  return runFfmpeg(extension, ['-f', 'lavfi', '-i', graph, ...codec, '-pix_fmt', 'yuv420p', '-g', '25']);
}

/**
 * A 9:16 video of 3 s in 10 bits of BT.2020, as phones record HDR.
 * @param fps frames per second @param transfer of PQ or of HLG
 */
export function hdrVideo(fps = 10, transfer: 'smpte2084' | 'arib-std-b67' = 'smpte2084'): Promise<string> {
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=180x320:rate=${fps}:duration=3`];
  const toHdr = `zscale=tin=bt709:pin=bt709:min=bt709:t=${transfer}:p=bt2020:m=bt2020nc,format=yuv420p10le`;
  const tags = `log-level=error:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`;
  const codec = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', tags, '-tag:v', 'hvc1'];
  return runFfmpeg('mp4', [...source, '-vf', toHdr, ...codec]);
}

/** A video with intact boxes whose data is noise. */
export async function noiseVideo(): Promise<string> {
  return editFile(await makeVideo({ extension: 'mov', audio: false }), (bytes) => {
    const end = bytes.indexOf('moov') - 4;
    for (let at = bytes.indexOf('mdat') + 4; at < end; at += 1) bytes[at] = (at * 7919) % 251;
    return bytes;
  });
}

/** Runs ffmpeg with these arguments and an output file, once for equal arguments. @returns the path */
export function runFfmpeg(extension: string, args: readonly string[]): Promise<string> {
  return cached(extension, JSON.stringify(args), async (path) => {
    await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, path]);
  });
}

/** A copy of a file with edited bytes, cached under the hash of the result. */
export async function editFile(source: string, edit: (bytes: Buffer) => Uint8Array): Promise<string> {
  const edited = edit(await readFile(source));
  return cached(source.slice(source.lastIndexOf('.') + 1), edited, (path) => writeFile(path, edited));
}

/** Written to a temporary file and renamed, so that concurrent test files never see a partial file. */
async function cached(extension: string, key: string | Uint8Array, make: (path: string) => Promise<void>) {
  const folder = join(tmpdir(), `reelay-test-videos-${process.getuid?.() ?? 0}`);
  const path = join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 24)}.${extension}`);
  if (existsSync(path)) return path;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `${randomUUID()}.${extension}`);
  try {
    await make(temporary);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
  return path;
}
