/**
 * node scripts/call-path.ts [--stops]: counts the files between a route and the database. It starts the service with the
 * simulated platforms, creates a post with `POST /post`, and follows it until it is published.
 *
 * The path is what the call stacks of the SQL statements show, asynchronous callers included:
 * - A file is on the path if one of its functions is on the stack while a statement is sent. The two ends do not count:
 *   routing (`http/routes.ts` and its callers) and `db/`. A publish begins with its lane instead of the route.
 * - Helpers that are never on the stack of a statement do not count.
 * - A stop is a call from one file into another, in the order of the statements.
 * - A climb is a stop at a file of a higher floor than its caller, which is a callback. The floor of a file is the length
 *   of the longest chain of imports below it.
 * - A return is a stop at a file that the path has left before, and that passes the request on to another file. A file
 *   that only sends statements ends the path: its next statement is not a return.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { withCleanUp, withFolder } from '../bench/kit/folder.ts';
import { basics, freePort, ROOT, sourceCommand, startService } from '../bench/kit/service.ts';
import { makeVideo } from '../bench/kit/video.ts';
import { readTree } from '../packages/server/test/conventions/tree.ts';
import { recordStacks } from './call-path/debugger.ts';
import { type CallPath, createFloors, followStacks, type Stack } from './call-path/path.ts';

const SOURCES = 'packages/server/src/';
/** Every statement passes through this line. */
const DATABASE = 'db/database.ts';
const STATEMENT = 'runner.query(';
const ROUTING = 'http/routes.ts';
const WORKER = 'publishing/worker/dispatcher.ts';
/** Checks the key again while a long upload arrives. */
const PROGRESS = 'http/receive/speed.ts';
/** Publishes the targets of one account. */
const LANE = 'publishing/worker/lane-runner.ts';
/** Maximum figures of `POST /post`; more is an error. */
const GOAL = { files: 10, climbs: 0, returns: 2 };
const USER = 'you@example.org';
/** Time limit for publishing, in ms. */
const MAX_WAIT_MS = 60_000;

const run = promisify(execFile);
const { values } = parseArgs({ options: { stops: { type: 'boolean' } } });

const { creation, publish } = await withFolder((folder) => withCleanUp((later) => record(folder, later)));
const floorOf = await readFloors();
const post = followStacks(creation.filter(isCreation).map(belowRoute).filter(isOperation), floorOf);
print('POST /post', post);
print('One publish', followStacks(publish.filter(isPublish).map(fromLane), floorOf));
if (post.files.length > GOAL.files || post.climbs > GOAL.climbs || post.returns > GOAL.returns) {
  console.log(`\nPOST /post may have ${GOAL.files} files, ${GOAL.climbs} climbs and ${GOAL.returns} returns.`);
  process.exitCode = 1;
}

/** Creates a post with a video and an idempotency key, and publishes it to a simulated platform. */
async function record(folder: string, later: (undo: () => Promise<unknown>) => void) {
  const inspector = await freePort();
  const [service, video] = await Promise.all([
    startService(folder, { NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` }, { command: sourceCommand() }),
    makeVideo(join(folder, 'video.mp4'), { seconds: 4, width: 360, height: 640, plain: true }).then(() =>
      readFile(join(folder, 'video.mp4')),
    ),
  ]);
  later(service.stop);
  const reelay = async (...words: string[]) => {
    const env = { ...basics(), DATA_DIR: join(folder, 'data') };
    const { stdout } = await run(join(ROOT, 'packages/cli/bin/reelay'), words, { cwd: ROOT, env });
    return stdout.trim();
  };
  await reelay('users', 'create', '--email', USER);
  const key = await reelay('keys', 'create', '--user', USER);
  const account = await reelay('sandbox', 'connect', '--user', USER, '--platform', 'tiktok', '--username', 'aurora');
  const lines = (await readFile(join(ROOT, SOURCES, DATABASE), 'utf8')).split('\n');
  const line = lines.findIndex((text) => text.includes(STATEMENT));
  const recorder = await recordStacks(`http://127.0.0.1:${inspector}`, SOURCES + DATABASE, line);
  later(async () => recorder.close());
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, ...init.headers };
    const response = await fetch(`${service.url}/api/v1${path}`, { ...init, headers });
    const body = (await response.json()) as { historyId: string; data: { result: { status: string }[] } };
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body;
  };
  const form = new FormData();
  form.append('platforms', JSON.stringify([account]));
  form.append('description', 'Northern lights over the harbor');
  form.append('video', new Blob([video], { type: 'video/mp4' }), 'video.mp4');
  recorder.take();
  const { historyId } = await call('/post', { method: 'POST', body: form, headers: { 'idempotency-key': 'path' } });
  const creation = recorder.take();
  for (const limit = performance.now() + MAX_WAIT_MS; performance.now() < limit; await pause(200))
    if ((await call(`/post/${historyId}`)).data.result[0]?.status !== 'PENDING') break;
  const publish = [...creation, ...recorder.take()];
  return { creation: creation.map(toFiles), publish: publish.map(toFiles) };
}

/** Keeps the service's own files, relative to its sources, without the database's. */
function toFiles(urls: readonly string[]): Stack {
  const folder = pathToFileURL(join(ROOT, SOURCES)).href;
  const files = urls.filter((url) => url.startsWith(folder)).map((url) => url.slice(folder.length));
  return files.filter((file) => !file.startsWith('db/'));
}

/** The request wakes the publisher, whose statements are not its own. Checks during a slow upload depend on the machine. */
function isCreation(stack: Stack): boolean {
  return stack.includes(ROUTING) && ![LANE, WORKER, PROGRESS].some((file) => stack.includes(file));
}

function belowRoute(stack: Stack): Stack {
  return stack.slice(stack.lastIndexOf(ROUTING) + 1);
}

/** Whether the statement is the operation's, and not authentication's before it. */
function isOperation([first = '']: Stack): boolean {
  return first.startsWith('operations/');
}

function isPublish(stack: Stack): boolean {
  return stack.includes(LANE);
}

/** Callbacks enter the lane again, so its first frame counts. */
function fromLane(stack: Stack): Stack {
  return stack.slice(stack.indexOf(LANE));
}

async function readFloors(): Promise<(file: string) => number> {
  const files = (await readTree()).filter(({ path }) => path.startsWith(SOURCES));
  const imports = new Map(
    files.map(({ path, imports }) => [path, imports.filter(({ type }) => !type).map(({ to }) => to)]),
  );
  const floorOf = createFloors((file) => imports.get(file) ?? []);
  return (file) => floorOf(SOURCES + file);
}

function print(name: string, { files, ends, stops, climbs, returns }: CallPath): void {
  if (files.length === 0) throw new Error(`${name}: no statement was recorded. Are the files above still right?`);
  console.log(`\n${name}: ${files.length} files, ${climbs} climbs, ${returns} returns`);
  for (const file of files) console.log(`  ${file}${ends.includes(file) ? '  (statements only)' : ''}`);
  if (!values.stops) return;
  console.log('\n  stops:');
  for (const { file, climbs, returns } of stops) console.log(`  ${climbs ? '^' : ' '}${returns ? '<' : ' '} ${file}`);
}
