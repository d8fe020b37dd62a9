/**
 * Measures pages of the history and the list of platforms, compared with the same SQL on a bare Fastify route, and the
 * search over posts.
 */
import { join } from 'node:path';
import { runningCluster } from '../../packages/server/src/db/cluster.ts';
import type { Database } from '../../packages/server/src/db/database.ts';
import { type Finding, median, ratio, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { addGuest, type Guest, openDatabase } from '../kit/guest.ts';
import { load } from '../kit/load.ts';
import { startProgram } from '../kit/program.ts';
import { addPosts } from '../kit/rows.ts';
import { startService } from '../kit/service.ts';
import type { BareReady } from '../programs/bare.ts';
import { search } from './search.ts';

const CONNECTIONS = 8;
const ACCOUNTS = 5;

/** One request for both servers. */
interface Question {
  name: string;
  path: string;
  bare: string;
  key: string;
}

export async function history({ quick }: { quick: boolean }): Promise<Finding[]> {
  const sizes = quick ? [100, 10_000] : [1_000, 100_000];
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const service = await startService(folder);
      later(service.stop);
      const db = await openDatabase(folder);
      later(db.close);
      const guests: Guest[] = [];
      for (const size of sizes) {
        const guest = await addGuest(db, folder, ACCOUNTS);
        await addPosts(db, guest, size);
        guests.push(guest);
      }
      await db.execute('vacuum analyze');
      await warm(db);
      const socket = await runningCluster(join(folder, 'data', 'database'));
      const userIds = guests.map((guest) => guest.userId);
      const bare = await startProgram<BareReady>('bare.ts', { socket, userIds });
      later(bare.stop);
      const rates = new Map<string, { service: number[]; bare: number[] }>();
      for (const question of questionsOf(guests, sizes)) {
        const found = { service: [] as number[], bare: [] as number[] };
        rates.set(question.name, found);
        const ask = (url: string, count: number) =>
          load({ url, count, connections: CONNECTIONS, headers: { authorization: `Bearer ${question.key}` } });
        const addresses = { service: service.url + question.path, bare: bare.ready.url + question.bare };
        // Warm up: the first responses are slower.
        for (const url of Object.values(addresses)) await ask(url, quick ? 200 : 500);
        for (let round = 0; round < (quick ? 3 : 5); round++)
          for (const way of ['service', 'bare'] as const)
            found[way].push(await ask(addresses[way], quick ? 300 : 1_000));
        const { service: ours, bare: theirs } = found;
        say(`${question.name}: ${median(ours).toFixed(0)} of ${median(theirs).toFixed(0)} a second`);
      }
      const largest = guests.at(-1);
      return [
        ...findings(rates, sizes),
        ...(largest ? await search({ db, url: service.url, guest: largest, posts: sizes.at(-1) ?? 0, quick }) : []),
      ];
    }),
  );
}

/** For each of two users: the first page, a distant page, the last page, and the list of platforms. */
function questionsOf(guests: readonly Guest[], sizes: readonly number[]): Question[] {
  return guests.flatMap((guest, index) => {
    const size = sizes[index] ?? 0;
    const last = Math.ceil(size / 10);
    const pages = [...new Set([1, Math.min(100, last), last])];
    const of = (name: string, rest: string, bare: string): Question => ({
      name: `${name} of ${size.toLocaleString('en')} posts`,
      path: `/api/v1${rest}`,
      bare: `/${index}${bare}`,
      key: guest.key,
    });
    return [
      ...pages.map((page) => of(`page ${page}`, `/post/history?page=${page}`, `/history?page=${page}`)),
      ...(index === 0 ? [of('platforms', '/platform/platforms', '/platforms')] : []),
    ];
  });
}

/** Loads the tables into the cache before the first request. */
async function warm(db: Database): Promise<void> {
  await db.query('select count(*) from post p join target t on t.post_id = p.id join media m on m.id = p.media_id');
}

function findings(rates: Map<string, { service: number[]; bare: number[] }>, sizes: readonly number[]): Finding[] {
  const each = [...rates].map(([name, { service, bare }]): Finding => {
    const share = median(service.map((rate, round) => rate / (bare[round] ?? Number.NaN)));
    return {
      what: `${name}: of a bare route with the same SQL`,
      figure: `${ratio(share)} (${median(service).toFixed(0)} of ${median(bare).toFixed(0)} requests/s)`,
      goal: '≥ 0.50',
      met: share >= 0.5,
    };
  });
  const first = sizes.map((size) => median(rates.get(`page 1 of ${size.toLocaleString('en')} posts`)?.service ?? []));
  const flat = (first[1] ?? 0) / (first[0] ?? 1);
  const names = sizes.map((size) => size.toLocaleString('en'));
  return [
    ...each,
    {
      what: `page 1: ${names[1]} posts against ${names[0]}`,
      figure: `${ratio(flat)} of the rate`,
      goal: '≥ 0.90',
      met: flat >= 0.9,
    },
  ];
}
