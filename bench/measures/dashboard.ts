/** Measures the dashboard in a browser: what it loads, and the history with few and with many posts. */
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { launchBrowser } from '../../apps/web/screenshots/browser.ts';
import type { Database } from '../../packages/server/src/db/database.ts';
import {
  countElements,
  heapBytes,
  lastRow,
  loadedBytes,
  openSignedIn,
  type Page,
  scrollFrames,
  scrollToTop,
} from '../kit/browser-page.ts';
import { type Finding, median, megabytes, milliseconds, quantile, ratio, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { addGuest, type Guest, openDatabase, signInGuest } from '../kit/guest.ts';
import { addPosts } from '../kit/rows.ts';
import { startService } from '../kit/service.ts';

const FEW = 1_000;
const MANY = 100_000;
/** Frames of a measurement: about four seconds at 60 frames a second. */
const FRAMES = 240;
/** CSS pixels a frame: some 90 posts a second. */
const STEP = 160;
/** Until the parts that a page loads afterwards are there, in ms. */
const SETTLED_MS = 2_000;
/** A longer frame can be felt, in ms. */
const LONG_MS = 50;
/** Compressed bytes of everything that the first page needs. */
const FIRST_LOAD_BYTES = 250_000;

export async function dashboard({ quick }: { quick: boolean }): Promise<Finding[]> {
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const service = await startService(folder);
      later(service.stop);
      const url = service.url.replace('127.0.0.1', 'localhost');
      const db = await openDatabase(folder);
      later(() => db.close());
      const browser = await launchBrowser();
      later(() => browser.close());
      const open = async (guest: Guest) => openSignedIn(browser, url, await signInGuest(db, url, guest));
      const few = await addGuest(db, folder, 12);
      const many = await addGuest(db, folder, 12);
      await addPosts(db, few, FEW);
      await addPosts(db, many, MANY);
      await db.execute('vacuum analyze');
      const loads = await loadFindings(await open(few), url);
      const [fewPage, manyPage] = [await open(few), await open(many)];
      for (const page of [fewPage, manyPage]) {
        await page.goto(`${url}/app/posts`);
        await page.getByRole('listitem').first().waitFor();
      }
      const scrolls = await scrollFindings(fewPage, manyPage, quick ? 4 : 16);
      return [...loads, ...scrolls, ...(await searchFindings({ db, url, few, many, quick }))];
    }),
  );
}

/** Each page in a browser without a cache. */
async function loadFindings(page: Page, url: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, path] of [
    ['Compose', '/app/'],
    ['Posts', '/app/posts'],
    ['Calendar', '/app/calendar'],
    ['Reposts', '/app/reposts?view=picture'],
  ] as const) {
    await page.goto(url + path, { waitUntil: 'load' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await pause(SETTLED_MS);
    const { scripts, styles, others, files } = await loadedBytes(page);
    const total = scripts + styles + others;
    const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(0)} kB`;
    const isFirst = path === '/app/';
    findings.push({
      what: `${name}, loaded without a cache, compressed`,
      figure: `${kilobytes(total)} in ${files} files (scripts ${kilobytes(scripts)}, styles ${kilobytes(styles)})`,
      ...(isFirst ? { goal: '≤ 250 kB', met: total <= FIRST_LOAD_BYTES } : {}),
    });
  }
  return findings;
}

/** Rounds of both pages and of a page at rest: a ratio compares neighbors in time. */
async function scrollFindings(few: Page, many: Page, rounds: number): Promise<Finding[]> {
  const frames = { rest: [] as number[], few: [] as number[], many: [] as number[] };
  const before = { elements: 0, heap: await heapBytes(many) };
  let depth = 0;
  for (let round = 0; round < rounds; round++) {
    await many.bringToFront();
    frames.rest.push(...(await scrollFrames(many, FRAMES, 0)).times);
    const scrolled = await scrollFrames(many, FRAMES, STEP);
    frames.many.push(...scrolled.times);
    depth = scrolled.top;
    // At its start, the list has no entries above the screen.
    before.elements ||= await countElements(many);
    await few.bringToFront();
    // The short list is scrolled from its start whenever it ends.
    const short = await scrollFrames(few, FRAMES, STEP);
    frames.few.push(...short.times);
    if (round % 2 === 1) await scrollToTop(few);
    say(`scrolling: ${depth.toFixed(0)} px, load ${loadavg()[0]?.toFixed(1)}`);
  }
  await many.bringToFront();
  const after = { elements: await countElements(many), heap: await heapBytes(many) };
  const rows = await lastRow(many);
  const long = (times: readonly number[]) => times.filter((ms) => ms > LONG_MS).length / times.length;
  const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
  const speed = (times: readonly number[]) =>
    `median ${milliseconds(median(times))}, p99 ${milliseconds(quantile(times, 0.99))}`;
  const load = `load ${loadavg()[0]?.toFixed(1)}`;
  return [
    {
      what: `history of ${MANY.toLocaleString('en')} posts, scrolled to row ${rows}: frames over ${LONG_MS} ms`,
      figure: `${percent(long(frames.many))} (${speed(frames.many)}; ${load})`,
    },
    {
      what: `… of ${FEW.toLocaleString('en')} posts, in turn`,
      figure: `${percent(long(frames.few))} (${speed(frames.few)})`,
    },
    { what: '… of a page at rest, in turn', figure: `${percent(long(frames.rest))} (${speed(frames.rest)})` },
    {
      what: '… frame time of many posts against few, median',
      figure: ratio(median(frames.many) / median(frames.few)),
      goal: '≤ 1.10',
      met: median(frames.many) / median(frames.few) <= 1.1,
    },
    {
      what: '… elements of the page after the first round and at the end',
      figure: `${before.elements}; ${after.elements} (${ratio(after.elements / before.elements)})`,
      goal: '≤ 1.10',
      met: after.elements / before.elements <= 1.1,
    },
    {
      what: '… JavaScript heap before and after',
      figure: `${megabytes(before.heap)}; ${megabytes(after.heap)}`,
      goal: '≤ 20 MB more',
      met: after.heap - before.heap <= 20e6,
    },
  ];
}

interface SearchBench {
  db: Database;
  url: string;
  few: Guest;
  many: Guest;
  quick: boolean;
}

/** Searches of the page at the API, in turn for both users. */
async function searchFindings({ db, url, few, many, quick }: SearchBench): Promise<Finding[]> {
  const cookies = { few: await signInGuest(db, url, few), many: await signInGuest(db, url, many) };
  const searches: readonly { name: string; query: Record<string, string> }[] = [
    { name: 'first page', query: {} },
    { name: 'text of one post', query: { text: 'number 777 of' } },
    { name: 'text of no post', query: { text: 'xylophone' } },
    { name: 'status without posts', query: { status: 'FAILED' } },
  ];
  const findings: Finding[] = [];
  for (const { name, query } of searches) {
    const times = { few: [] as number[], many: [] as number[] };
    for (let round = 0; round < (quick ? 10 : 40); round++)
      for (const size of ['few', 'many'] as const) {
        const began = performance.now();
        const address = `${url}/api/v1/dashboard/posts?${new URLSearchParams({ ...query, limit: '50' })}`;
        const response = await fetch(address, { headers: { cookie: cookies[size] } });
        await response.arrayBuffer();
        if (response.status !== 200) throw new Error(`The search ended with ${response.status}.`);
        times[size].push(performance.now() - began);
      }
    findings.push({
      what: `search, ${name}: ${MANY.toLocaleString('en')} posts against ${FEW.toLocaleString('en')}`,
      figure: `${ratio(median(times.many) / median(times.few))} of the time (${milliseconds(median(times.many))} of ${milliseconds(median(times.few))})`,
    });
  }
  return findings;
}
