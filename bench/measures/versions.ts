/** Measures versions of Reelay in turn, each as its users run it: start, memory at rest, and receiving videos. */
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { commandLine } from '../kit/command-line.ts';
import { inTurn, type Results } from '../kit/comparison.ts';
import { median } from '../kit/figures.ts';
import { forgetPeak, rss } from '../kit/processes.ts';
import { startProgram } from '../kit/program.ts';
import { startService } from '../kit/service.ts';
import { cancelPost, type Sent, upload, uploadPost } from '../kit/upload.ts';
import { setUp, type Version } from '../kit/version.ts';
import type { ReceiversReady } from '../programs/receivers.ts';
import { memoryOf } from './rest.ts';
import { largeVideo } from './upload.ts';

/** Long enough for an idle service to collect garbage, in ms. */
const REST_MS = 10_000;
/** Uploads of each start, in turn with the bare pipe: the first one also compiles the code. */
const UPLOADS = 3;

/** A version with data of its own, and what sends to it. */
interface Installed extends Version {
  folder: string;
  guest: { key: string; accounts: { id: string }[] };
}

interface Round {
  'start, s': number;
  'memory at rest, PostgreSQL included, MB': number;
  '500 MB received, of a bare pipe': number;
  'four uploads at once, memory over rest, MB': number;
}

/**
 * @param folder for data and videos
 * @returns results by the names of the versions
 */
export async function measureVersions(
  versions: readonly Version[],
  { folder, rounds }: { folder: string; rounds: number },
): Promise<Map<string, Results>> {
  const video = await largeVideo(folder);
  const received = join(folder, 'received');
  await mkdir(received);
  const receivers = await startProgram<ReceiversReady>('receivers.ts', { folder: received });
  try {
    const installed: Installed[] = [];
    for (const version of versions) installed.push(await install(version, folder));
    return await inTurn(installed, rounds, async (version) =>
      Object.entries(await measure(version, video, receivers.ready.pipe)),
    );
  } finally {
    await receivers.stop();
  }
}

/** The first start creates the database. The user and the account come from the version's own command line. */
async function install(version: Version, parent: string): Promise<Installed> {
  const folder = await mkdtemp(join(parent, 'version-'));
  await setUp(version);
  const service = await startService(folder, {}, { root: version.root });
  try {
    const reelay = commandLine(folder, version.root);
    const user = 'guest@example.org';
    await reelay('users', 'create', '--email', user);
    const key = await reelay('keys', 'create', '--user', user);
    const id = await reelay('sandbox', 'connect', '--user', user, '--platform', 'tiktok', '--username', 'nora');
    return { ...version, folder, guest: { key, accounts: [{ id }] } };
  } finally {
    await service.stop();
  }
}

async function measure({ root, folder, guest }: Installed, video: Buffer, pipe: string): Promise<Round> {
  const service = await startService(folder, {}, { root });
  try {
    await pause(REST_MS);
    const rest = memoryOf(service.pid).all;
    const send = async (): Promise<Sent> => {
      const sent = await uploadPost(service.url, video, guest);
      await cancelPost(service.url, sent, guest.key);
      return sent;
    };
    const [bare, sent]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < UPLOADS; turn++) {
      bare.push((await upload(pipe, video)).sentMs);
      sent.push((await send()).sentMs);
    }
    await pause(REST_MS);
    const before = rss(service.pid).now;
    forgetPeak(service.pid);
    await Promise.all([send(), send(), send(), send()]);
    return {
      'start, s': service.readyMs / 1_000,
      'memory at rest, PostgreSQL included, MB': rest / 1e6,
      '500 MB received, of a bare pipe': median(bare) / median(sent),
      'four uploads at once, memory over rest, MB': (rss(service.pid).peak - before) / 1e6,
    };
  } finally {
    await service.stop();
  }
}
