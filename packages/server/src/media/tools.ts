import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Limiter } from './guard.ts';

const run = promisify(execFile);

/** The programs of the system that read and write video, found once at the start. */
export interface MediaTools {
  /** Absolute path. */
  ffmpeg: string;
  /** Absolute path. */
  ffprobe: string;
  /** ffmpeg's own version, for instance `5.1.9-0+deb12u1`. */
  version: string;
  /** Encoders and filters that this build lacks; without `zscale` HDR thumbnails look pale. */
  missing: string[];
  limiter: Limiter;
}

const INSTALL =
  'Install ffmpeg 5.1 or later (Debian, Ubuntu: apt-get install ffmpeg · Fedora: dnf install ffmpeg · ' +
  'macOS: brew install ffmpeg · Windows: winget install Gyan.FFmpeg), or name it with FFMPEG_PATH and FFPROBE_PATH.';
const NEEDED_ENCODERS = ['libx264', 'aac', 'mjpeg'];
const NEEDED_FILTERS = ['zscale', 'tonemap', 'scale'];

/** Names or paths; null or absent: as the system finds `ffmpeg` and `ffprobe`. */
export interface ToolPaths {
  ffmpegPath?: string | null;
  ffprobePath?: string | null;
}

/** Finds ffmpeg and ffprobe, 5.1 or later. Throws a plain Error whose sentence says what to install. */
export async function findTools(paths: ToolPaths = {}): Promise<MediaTools> {
  const [ffmpeg, ffprobe] = await Promise.all([
    locate(paths.ffmpegPath ?? 'ffmpeg'),
    locate(paths.ffprobePath ?? 'ffprobe'),
  ]);
  const [{ version, missing }, probeVersion, limiter] = await Promise.all([
    inspectFfmpeg(ffmpeg),
    versionOf(ffprobe, 'ffprobe'),
    findLimiter(),
  ]);
  for (const [name, found] of [
    ['ffmpeg', version],
    ['ffprobe', probeVersion],
  ] as const) {
    if (!isRecentEnough(found)) throw new Error(`${name} ${found} is too old. ${INSTALL}`);
  }
  return { ffmpeg, ffprobe, version, missing, limiter };
}

/** Whether a version text is 5.1 or later. Builds from git (`N-109468-g…`) carry no number and are taken. */
export function isRecentEnough(version: string): boolean {
  const match = /^n?(\d+)\.(\d+)/.exec(version);
  if (match === null) return true;
  const major = Number(match[1]);
  return major > 5 || (major === 5 && Number(match[2]) >= 1);
}

/** The children run with an empty environment, thus without PATH: names become absolute paths here. */
async function locate(name: string): Promise<string> {
  try {
    const windows = process.platform === 'win32';
    const { stdout } = windows
      ? await run('where', [name])
      : await run('/bin/sh', ['-c', 'command -v -- "$1"', 'sh', name]);
    return stdout.split(/\r?\n/)[0] || name;
  } catch (cause) {
    throw new Error(`${name} was not found. ${INSTALL}`, { cause });
  }
}

async function versionOf(path: string, name: string): Promise<string> {
  const version = versionIn(name, await ask(path, ['-version']));
  if (version !== undefined) return version;
  throw new Error(`${path} is not ${name}. ${INSTALL}`);
}

/** Lists come with a banner that names the version, so each list costs one start and the version none. */
async function inspectFfmpeg(path: string): Promise<Pick<MediaTools, 'version' | 'missing'>> {
  const [encoders, filters] = await Promise.all([ask(path, ['-encoders']), ask(path, ['-filters'])]);
  const version = versionIn('ffmpeg', encoders) ?? (await versionOf(path, 'ffmpeg'));
  const lacks = (text: string) => (name: string) => !new RegExp(`^ *\\S+ +${name} `, 'm').test(text);
  return { version, missing: [...NEEDED_ENCODERS.filter(lacks(encoders)), ...NEEDED_FILTERS.filter(lacks(filters))] };
}

function versionIn(name: string, text: string): string | undefined {
  return new RegExp(`^${name} version (\\S+)`, 'm').exec(text)?.[1];
}

/** What the program prints on both streams. */
async function ask(path: string, options: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await run(path, options, { timeout: 20_000 });
    return `${stdout}\n${stderr}`;
  } catch (cause) {
    throw new Error(`${path} does not start. ${INSTALL}`, { cause });
  }
}

async function findLimiter(): Promise<Limiter> {
  if (process.platform === 'win32') return { kind: 'none' };
  try {
    const path = await locate('prlimit');
    await run(path, ['--core=0', '--', '/bin/sh', '-c', ':']);
    return { kind: 'prlimit', path, setpriv: await findSetpriv() };
  } catch {
    return { kind: 'ulimit', shell: '/bin/sh' };
  }
}

/** Some systems have an older one, or another program of that name. */
async function findSetpriv(): Promise<string | undefined> {
  try {
    const path = await locate('setpriv');
    await run(path, ['--pdeathsig', 'KILL', '--', '/bin/sh', '-c', ':']);
    return path;
  } catch {
    return undefined;
  }
}
