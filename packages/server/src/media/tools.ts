import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { promisify } from 'node:util';
import { programFolders } from '../config/env.ts';
import type { Limiter } from './guard.ts';

const run = promisify(execFile);

/** The external programs that read and write video, located once at startup. */
export interface MediaTools {
  /** Absolute path. */
  ffmpeg: string;
  /** Absolute path. */
  ffprobe: string;
  /** Version of ffmpeg, for example `5.1.9-0+deb12u1`. */
  version: string;
  /** Encoders and filters that this build lacks. Without `zscale`, HDR thumbnails appear washed out. */
  missing: string[];
  limiter: Limiter;
}

const INSTALL =
  'Install ffmpeg 5.1 or later (Debian, Ubuntu: apt-get install ffmpeg · Fedora: dnf install ffmpeg · ' +
  'macOS: brew install ffmpeg · Windows: winget install Gyan.FFmpeg), or name it with FFMPEG_PATH and FFPROBE_PATH.';
/** No video can be checked or converted without them. */
export const NEEDED_ENCODERS: readonly string[] = ['libx264', 'aac', 'mjpeg'];
const NEEDED_FILTERS = ['zscale', 'tonemap', 'scale'];

/** Names or paths; null or absent: `ffmpeg` and `ffprobe` from the PATH. */
export interface ToolPaths {
  ffmpegPath?: string | null;
  ffprobePath?: string | null;
}

/** Finds ffmpeg and ffprobe 5.1 or later. @throws Error with a sentence that says what to install */
export async function findTools(paths: ToolPaths = {}): Promise<MediaTools> {
  const ffmpeg = locate(paths.ffmpegPath ?? 'ffmpeg');
  const ffprobe = locate(paths.ffprobePath ?? 'ffprobe');
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

/** Returns the tools. @throws Error with a sentence if ffmpeg lacks an encoder that is always needed */
export function withEncoders(tools: MediaTools): MediaTools {
  const names = NEEDED_ENCODERS.filter((name) => tools.missing.includes(name)).join(', ');
  if (names === '') return tools;
  throw new Error(`${tools.ffmpeg} is a build without ${names}, which Reelay needs to convert videos. ${INSTALL}`);
}

/** Returns whether a version is 5.1 or later. Git builds (`N-109468-g…`) have no version number and are accepted. */
export function isRecentEnough(version: string): boolean {
  const match = /^n?(\d+)\.(\d+)/.exec(version);
  if (match === null) return true;
  const major = Number(match[1]);
  return major > 5 || (major === 5 && Number(match[2]) >= 1);
}

/** @throws Error with a sentence if there is no such program */
function locate(name: string): string {
  const path = find(name);
  if (path === undefined) throw new Error(`${name} was not found. ${INSTALL}`);
  return path;
}

/** Child processes have an empty environment without PATH, so names are resolved to absolute paths here. */
function find(name: string): string | undefined {
  const isPath = basename(name) !== name;
  const folders = isPath ? [''] : programFolders();
  const endings = process.platform === 'win32' ? ['', '.exe'] : [''];
  return folders.flatMap((folder) => endings.map((ending) => resolve(folder, name + ending))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

async function versionOf(path: string, name: string): Promise<string> {
  const version = versionIn(name, await ask(path, ['-version']));
  if (version !== undefined) return version;
  throw new Error(`${path} is not ${name}. ${INSTALL}`);
}

/** The lists start with a banner that contains the version, so no separate call is needed for it. */
async function inspectFfmpeg(path: string): Promise<Pick<MediaTools, 'version' | 'missing'>> {
  const [encoders, filters] = await Promise.all([ask(path, ['-encoders']), ask(path, ['-filters'])]);
  const version = versionIn('ffmpeg', encoders) ?? (await versionOf(path, 'ffmpeg'));
  const lacks = (text: string) => (name: string) => !new RegExp(`^ *\\S+ +${name} `, 'm').test(text);
  return { version, missing: [...NEEDED_ENCODERS.filter(lacks(encoders)), ...NEEDED_FILTERS.filter(lacks(filters))] };
}

function versionIn(name: string, text: string): string | undefined {
  return new RegExp(`^${name} version (\\S+)`, 'm').exec(text)?.[1];
}

/** Runs a program and returns the output of both streams. */
async function ask(path: string, options: readonly string[]): Promise<string> {
  try {
    const { stdout, stderr } = await run(path, options, { timeout: 20_000 });
    return `${stdout}\n${stderr}`;
  } catch (cause) {
    throw new Error(`${path} cannot be started. ${INSTALL}`, { cause });
  }
}

/** Some systems have other versions of `prlimit` and `setpriv`, or other programs with these names: both are tried. */
async function findLimiter(): Promise<Limiter> {
  if (process.platform === 'win32') return { kind: 'none' };
  const path = find('prlimit');
  const setpriv = find('setpriv');
  if (path && setpriv && (await runs(path, [...LIMITED, setpriv, ...ORPHANED])))
    return { kind: 'prlimit', path, setpriv };
  if (path && (await runs(path, LIMITED))) return { kind: 'prlimit', path, setpriv: undefined };
  return { kind: 'ulimit', shell: '/bin/sh' };
}

const LIMITED = ['--core=0', '--'];
const ORPHANED = ['--pdeathsig', 'KILL', '--'];

/** Whether a program with these arguments runs a command. */
async function runs(program: string, args: readonly string[]): Promise<boolean> {
  return run(program, [...args, '/bin/sh', '-c', ':']).then(
    () => true,
    () => false,
  );
}
