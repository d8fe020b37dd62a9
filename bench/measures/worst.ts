/** Measures the largest valid request of every operation: how long it takes, and how long it blocks all others. */
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  bodyOf,
  type LargestRequest,
  largestRequest,
  operationsInOrder,
} from '../../packages/server/test/harness/largest-requests.ts';
import { addWorstUser, FAMILY } from '../../packages/server/test/harness/worst-user.ts';
import { type Finding, milliseconds, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { openDatabase, signInGuest } from '../kit/guest.ts';
import { addUsers } from '../kit/rows.ts';
import { ROOT, startService } from '../kit/service.ts';
import { smallVideo } from '../kit/video.ts';

/** What texts are made of: emoji, host names, mentions, hashtags. */
const TEXTS = [FAMILY, 'a.co ', '@a@b.co ', '#a1 '];

/** Rules of a user of the largest plan. */
const RULES = 100;

/** The longest block that a request may cause, in ms. */
const GOAL_MS = 100;

interface Measured {
  status: number;
  /** From the request to the end of the response, in ms. */
  tookMs: number;
  blockedMs: number;
  bytes: number;
}

/** The least of several rounds is what the service causes: other programs only add to it. */
const least = (a: Measured | undefined, b: Measured): Measured => (a && a.blockedMs <= b.blockedMs ? a : b);
const most = (a: Measured | undefined, b: Measured): Measured => (a && a.blockedMs >= b.blockedMs ? a : b);

export async function worst({ quick }: { quick: boolean }): Promise<Finding[]> {
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const socket = join(folder, 'loop');
      const service = await startService(folder, {
        SANDBOX: 'on',
        BENCH_EVENT_LOOP: socket,
        NODE_OPTIONS: `--import ${join(ROOT, 'bench/programs/event-loop.ts')}`,
      });
      later(service.stop);
      const db = await openDatabase(folder);
      later(db.close);
      const file = join(folder, 'clip.mp4');
      await smallVideo(file);
      const video = new Uint8Array(await readFile(file));
      const worst = new Map<string, Measured>();
      for (const letters of quick ? TEXTS.slice(0, 1) : TEXTS) {
        const round = new Map<string, Measured>();
        for (let again = 0; again < (quick ? 1 : 2); again++) {
          const [userId = ''] = await addUsers(db, 1);
          await db.execute(`update auth."user" set operator = true where id = $1`, [userId]);
          const user = await addWorstUser(db.within(600_000), { userId, letters, rules: RULES });
          const cookie = await signInGuest(db, service.url, { userId, key: '', accounts: [] });
          for (const operation of operationsInOrder()) {
            if (operation.id === 'liveEvents') continue;
            const asked = largestRequest(operation, user, letters);
            const measured = await measure(service.url, socket, cookie, asked, video);
            round.set(operation.id, least(round.get(operation.id), measured));
          }
          say(`${JSON.stringify(letters)}, round ${again + 1}`);
        }
        for (const [id, measured] of round) worst.set(id, most(worst.get(id), measured));
      }
      return [...worst].toSorted(([, a], [, b]) => b.blockedMs - a.blockedMs).map(([id, each]) => findingOf(id, each));
    }),
  );
}

function findingOf(id: string, { status, tookMs, blockedMs, bytes }: Measured): Finding {
  return {
    what: `\`${id}\`: longest block / whole request / size of the response`,
    figure: `${milliseconds(blockedMs)} / ${milliseconds(tookMs)} / ${(bytes / 1000).toFixed(0)} kB (${status})`,
    goal: `block ≤ ${GOAL_MS} ms`,
    met: blockedMs <= GOAL_MS,
  };
}

async function measure(
  url: string,
  socket: string,
  cookie: string,
  asked: LargestRequest,
  video: Uint8Array<ArrayBuffer>,
): Promise<Measured> {
  const body = bodyOf(asked, video);
  const address = new URL(`/api/v1${asked.path}`, url);
  for (const [name, value] of Object.entries(asked.query)) address.searchParams.append(name, value);
  const headers = {
    cookie,
    'x-reelay-csrf': '1',
    ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
  };
  await longestBlock(socket);
  const began = performance.now();
  const response = await fetch(address, { method: asked.method, headers, body });
  const bytes = (await response.arrayBuffer()).byteLength;
  const tookMs = performance.now() - began;
  return { status: response.status, tookMs, blockedMs: await longestBlock(socket), bytes };
}

/** The longest block since the last call, in ms. */
const longestBlock = async (path: string): Promise<number> => Number(await text(connect(path)));
