import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a test video is like; every property has a default. */
export interface VideoOptions {
  /** Length in seconds; 4 by default. */
  seconds?: number;
  /** Stored size in pixels; 180 × 320 by default. */
  width?: number;
  height?: number;
  /** Pictures per second; 10 by default. */
  fps?: number;
  /** Whether it has a sound track (a tone); true by default. */
  audio?: boolean;
  /** File name extension, which chooses the container; `mp4` by default. */
  extension?: 'mp4' | 'mov' | '3gp' | 'mkv' | 'webm' | 'ts' | 'avi' | 'flv';
  /** Makes an otherwise equal video differ in its bytes, so that its hash is another. */
  seed?: number;
  /** A moving test card, or one colour (much smaller and quicker); `card` by default. */
  picture?: 'card' | 'plain';
  /** Arguments of ffmpeg put before the output, to override what the container implies. */
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
 * Makes a small real video with ffmpeg and answers its path. By default it is one that the service accepts: 4 seconds,
 * 9:16, with sound, some 150 kB, made in about 0.2 s.
 * Equal options give the same file, made once and kept in a folder of the system's temporary directory for later runs:
 * never change or remove it, copy it first. Two different `seed`s give videos with different hashes.
 */
export async function makeVideo(options: VideoOptions = {}): Promise<string> {
  const { seconds = 4, width = 180, height = 320, fps = 10, audio = true, extension = 'mp4', seed = 0 } = options;
  const card = `testsrc2=size=${width}x${height}:rate=${fps}:duration=${seconds}`;
  const plain = `color=c=0x${(0x204060 + seed).toString(16)}:size=${width}x${height}:rate=${fps}:duration=${seconds}`;
  const tone = ['-f', 'lavfi', '-i', `sine=frequency=${440 + seed}:sample_rate=44100:duration=${seconds}`];
  const input = ['-f', 'lavfi', '-i', options.picture === 'plain' ? plain : card, ...(audio ? tone : [])];
  const label = ['-pix_fmt', 'yuv420p', '-metadata', `comment=seed ${seed}`];
  return runFfmpeg(extension, [...input, ...CODECS[extension], ...label, ...(options.extra ?? [])]);
}

/** A video of the given length that is 9:16: {@link makeVideo} with the length first. */
export function vertical(seconds: number, options: Omit<VideoOptions, 'seconds'> = {}): Promise<string> {
  return makeVideo({ ...options, seconds });
}

/** A 9:16 video that is red for `redSeconds` and then blue, to tell by a picture which moment it shows. */
export function redThenBlue(redSeconds: number, blueSeconds: number, extension: 'mp4' | 'mkv' | 'webm' | 'ts' | 'flv') {
  const colour = (name: string, length: number) => `color=c=${name}:size=180x320:rate=10:duration=${length}`;
  const graph = `${colour('red', redSeconds)}[a];${colour('blue', blueSeconds)}[b];[a][b]concat`;
  const codec = extension === 'webm' ? CODECS.webm : CODECS.mp4;
  return runFfmpeg(extension, ['-f', 'lavfi', '-i', graph, ...codec, '-pix_fmt', 'yuv420p', '-g', '25']);
}

/** A 9:16 video of 3 s of 10-bit PQ in BT.2020, as phones record HDR; `fps` pictures a second. */
export function hdrVideo(fps = 10): Promise<string> {
  const source = ['-f', 'lavfi', '-i', `testsrc2=size=180x320:rate=${fps}:duration=3`];
  const toPq = 'zscale=tin=bt709:pin=bt709:min=bt709:t=smpte2084:p=bt2020:m=bt2020nc,format=yuv420p10le';
  const tags = 'log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc';
  const codec = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', tags, '-tag:v', 'hvc1'];
  return runFfmpeg('mp4', [...source, '-vf', toPq, ...codec]);
}

/** A video in whole boxes whose data is noise. */
export async function noiseVideo(): Promise<string> {
  return editFile(await makeVideo({ extension: 'mov', audio: false }), (bytes) => {
    const end = bytes.indexOf('moov') - 4;
    for (let at = bytes.indexOf('mdat') + 4; at < end; at += 1) bytes[at] = (at * 7919) % 251;
    return bytes;
  });
}

/** Runs ffmpeg with these arguments and an output file, once for equal arguments; answers the path. */
export function runFfmpeg(extension: string, args: readonly string[]): Promise<string> {
  return cached(extension, JSON.stringify(args), async (path) => {
    await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, path]);
  });
}

/** A copy of a file with its bytes edited, kept under a name made from the result. */
export async function editFile(source: string, edit: (bytes: Buffer) => Uint8Array): Promise<string> {
  const edited = edit(await readFile(source));
  return cached(source.slice(source.lastIndexOf('.') + 1), edited, (path) => writeFile(path, edited));
}

/** Written under a name of its own and renamed, so that test files running side by side never see half a file. */
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
