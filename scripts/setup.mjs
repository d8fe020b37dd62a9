/**
 * Set-up of every npm script: installs packages, Node 24 or later, and ffmpeg. It runs on Node 20 or later without any
 * package. If there is nothing to do, it takes a few milliseconds. Concurrent runs are safe.
 *   node scripts/setup.mjs [--for-start]
 * With --for-start it installs what `npm start` needs, which is half as much. The first other script adds the rest.
 *
 * It links Node as node_modules/.cache/node, which every script of package.json runs.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CACHE = join(ROOT, 'node_modules', '.cache');
const STAMP = join(CACHE, 'setup.json');
const NODE = join(CACHE, 'node');
const LOCK = join(ROOT, '.cache', 'setup.lock');
const FOR_START = process.argv.includes('--for-start');
const OLDEST_NODE = 24;
const OLDEST_FFMPEG = [5, 1];
/**
 * A lock holder touches the lock every 5 s. After this time without a touch (ms) the lock is stale, even if its pid
 * exists.
 */
const LOCK_DEAD_AFTER = 60_000;

/** A problem that only the user can fix. */
class Sentence extends Error {}

/** Hash of the lock file, which identifies the packages to install. */
const wanted = () =>
  createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');

/**
 * Result of the last set-up: `{packages, forStart, tools: {ffmpeg, ffprobe}}`, each tool with the fingerprint of its file.
 * `forStart`: only what a start needs was installed.
 */
function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return {};
  }
}

// --- packages

const areInstalled = (stamp) => stamp.packages === wanted() && (FOR_START || !stamp.forStart);

/** Whether npm's record of installed packages matches the lock file, as it does after `npm install NAME`, and all are there. */
function agreesWithRecord() {
  try {
    const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages;
    const installed = read('node_modules/.package-lock.json');
    const entries = Object.entries(read('package-lock.json')).filter(([place]) => place.includes('node_modules/'));
    return entries.every(([place, { optional, dev, devOptional, version, integrity }]) => {
      const found = installed[place];
      if (!found) return optional === true || (FOR_START && (dev === true || devOptional === true));
      return found.version === version && found.integrity === integrity && existsSync(join(ROOT, place));
    });
  } catch {
    return false;
  }
}

async function packages() {
  const stamp = readStamp();
  if (areInstalled(stamp) || agreesWithRecord()) return;
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const sentence = 'The packages could not be installed; npm says why above.';
  if (stamp.packages === wanted()) {
    // A service may be running: nothing that it uses is replaced, except Node, whose headers are missing.
    console.log('Installing the packages of tests and of development (half a minute, once) ...');
    rmSync(STAMP);
    for (const folder of nodeFolders()) rmSync(folder, { recursive: true });
    return await run([...npm, 'install', '--include=dev', '--no-save', '--loglevel=error'], sentence);
  }
  console.log('Installing packages (half a minute the first time) ...');
  // With NODE_ENV=production, npm would omit the packages of development.
  await run([...npm, 'ci', FOR_START ? '--omit=dev' : '--include=dev', '--loglevel=error'], sentence);
  // Headers are a third of Node, and only what is compiled needs them.
  if (FOR_START) for (const folder of nodeFolders()) rmSync(join(folder, 'include'), { recursive: true, force: true });
}

/** Where the package of Node is, if there is one for this system. */
function nodeFolders() {
  const folder = join(ROOT, 'node_modules');
  return readdirSync(folder)
    .filter((name) => name.startsWith('node-linux-'))
    .map((name) => join(folder, name));
}

// --- Node

const major = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0);

/** Finds the Node installed with the packages, else the one that runs this script. */
function findNode() {
  const brought = join(ROOT, 'node_modules', '.bin', 'node');
  // It may exist but not run: wrong C library or CPU.
  if (existsSync(brought) && major(output([brought, '--version'])) >= OLDEST_NODE) return realpathSync(brought);
  if (major(process.version) >= OLDEST_NODE) return process.execPath;
  throw new Sentence(
    `For this system no Node comes along, and yours is ${process.version}: install Node ${OLDEST_NODE} or later (https://nodejs.org).`,
  );
}

function linkNode() {
  const node = findNode();
  mkdirSync(CACHE, { recursive: true });
  const link = `${NODE}.${process.pid}`;
  rmSync(link, { force: true });
  symlinkSync(node, link);
  renameSync(link, NODE);
}

/** Whether the link target exists. */
function nodeLinked() {
  try {
    return existsSync(readlinkSync(NODE));
  } catch {
    return false;
  }
}

// --- ffmpeg

/** Path of a tool: from its environment variable, else the first on PATH; null if not found. */
function locate(name) {
  const named = process.env[`${name.toUpperCase()}_PATH`];
  if (named) return named;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** A fingerprint that detects a changed file without running it. */
function marks(path) {
  const { size, mtimeMs } = statSync(path);
  return `${path} ${size} ${mtimeMs}`;
}

/** The problem with a tool, or null. */
function problemOf(name) {
  const path = locate(name);
  if (!path) return `${name} is missing`;
  const [, first, second] = /^\w+ version \D*(\d+)\.(\d+)/.exec(output([path, '-version'])) ?? [];
  // Development builds have no version number; they are newer than any unsupported release.
  if (first === undefined) return /^\w+ version \w/.test(output([path, '-version'])) ? null : `${path} does not run`;
  const [oldest, oldestSecond] = OLDEST_FFMPEG;
  const recent = Number(first) > oldest || (Number(first) === oldest && Number(second) >= oldestSecond);
  return recent ? null : `${path} is version ${first}.${second}`;
}

const TOOLS = ['ffmpeg', 'ffprobe'];

/** The fingerprints of the tools, or null if one is missing. */
function toolMarks() {
  try {
    return Object.fromEntries(TOOLS.map((name) => [name, marks(locate(name))]));
  } catch {
    return null;
  }
}

const toolsKnown = (stamp) => {
  const found = toolMarks();
  return found !== null && TOOLS.every((name) => found[name] === stamp.tools?.[name]);
};

async function media() {
  if (toolsKnown(readStamp())) return;
  const problem = () => TOOLS.map(problemOf).find(Boolean);
  if (problem() && process.getuid?.() === 0 && locate('apt-get') && !process.env.FFMPEG_PATH) await installFfmpeg();
  const left = problem();
  if (left)
    throw new Sentence(
      `Reelay needs ffmpeg and ffprobe ${OLDEST_FFMPEG.join('.')} or later (${left}). Install them with one of: sudo apt install ffmpeg | sudo dnf install ffmpeg | brew install ffmpeg | winget install ffmpeg. Or name them by FFMPEG_PATH and FFPROBE_PATH.`,
    );
}

/**
 * Installs ffmpeg. Fresh images have no package lists, and outdated lists name deleted files: then the lists are
 * updated first.
 */
async function installFfmpeg() {
  console.log('Installing ffmpeg (half a minute) ...');
  const install = ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'ffmpeg'];
  if (quiet(install)) return;
  quiet(['apt-get', 'update', '-qq']);
  await run(install, 'ffmpeg could not be installed; apt-get says why above.', {
    ...process.env,
    DEBIAN_FRONTEND: 'noninteractive',
  });
}

function quiet(command) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command[0], command.slice(1), { stdio: 'ignore', env }).status === 0;
}

// --- running programs

function output([program, ...args]) {
  const { stdout } = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return stdout ?? '';
}

/** Runs a program and shows its output. Asynchronous, because the lock must be touched meanwhile. */
async function run([program, ...args], sentence, env = process.env) {
  const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit', env });
  const status = await new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code));
  });
  if (status !== 0) throw new Sentence(sentence);
}

// --- locking

/** The pid of the lock holder and the time of its last touch (ms); null if nobody holds the lock. */
function holder() {
  try {
    return { pid: Number(readFileSync(join(LOCK, 'pid'), 'utf8')), touched: statSync(LOCK).mtimeMs };
  } catch {
    return null;
  }
}

function isAlive({ pid, touched }) {
  if (Date.now() - touched > LOCK_DEAD_AFTER) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Runs work while holding the lock. The lock is a folder with our pid, prepared elsewhere and renamed into place. The
 * rename fails if a lock exists.
 */
async function withLock(work) {
  const mine = `${LOCK}.${process.pid}`;
  rmSync(mine, { recursive: true, force: true });
  mkdirSync(mine, { recursive: true });
  writeFileSync(join(mine, 'pid'), `${process.pid}`);
  for (let waiting = false; ; ) {
    try {
      renameSync(mine, LOCK);
      break;
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    }
    const other = holder();
    if (other && !isAlive(other)) buryLock(other);
    else if (other) {
      if (!waiting) console.log(`Another set-up (process ${other.pid}) is at work; waiting for it ...`);
      waiting = true;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  const touching = setInterval(() => utimesSync(LOCK, new Date(), new Date()), 5_000);
  try {
    await work();
  } finally {
    clearInterval(touching);
    rmSync(LOCK, { recursive: true, force: true });
  }
}

/** Removes a stale lock. A lock that a live process acquired meanwhile is put back. */
function buryLock(dead) {
  const grave = `${LOCK}.of-${dead.pid}-by-${process.pid}`;
  try {
    renameSync(LOCK, grave);
    if (readFileSync(join(grave, 'pid'), 'utf8') !== `${dead.pid}`) return renameSync(grave, LOCK);
  } catch {
    // Another process was faster.
  }
  rmSync(grave, { recursive: true, force: true });
}

// --- main

function isDone() {
  const stamp = readStamp();
  return areInstalled(stamp) && nodeLinked() && toolsKnown(stamp);
}

async function setUp() {
  if (isDone()) return;
  await withLock(async () => {
    if (isDone()) return;
    await packages();
    linkNode();
    await media();
    const stamp = `${STAMP}.${process.pid}`;
    writeFileSync(stamp, JSON.stringify({ packages: wanted(), forStart: FOR_START, tools: toolMarks() }));
    renameSync(stamp, STAMP);
  });
}

try {
  await setUp();
} catch (error) {
  console.error(error instanceof Sentence ? error.message : error);
  process.exit(1);
}
