/**
 * Lighthouse on two pages of a signed-in user. It has 170 MB with its packages, so it is installed into a temporary
 * folder for the measurement, without install scripts.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromiumPath } from '../../apps/web/screenshots/browser.ts';
import { type Finding, median, milliseconds, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { addGuest, openDatabase, signInGuest } from '../kit/guest.ts';
import { addPictures } from '../kit/pictures.ts';
import { addPosts } from '../kit/rows.ts';
import { startService } from '../kit/service.ts';

const VERSION = '13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices'] as const;
const GOAL = 95;
const LOADED_MS = 15_000;
const ATTEMPTS = 3;

const run = promisify(execFile);

interface Report {
  categories: Record<(typeof CATEGORIES)[number], { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { id: string; title: string; score: number | null; numericValue?: number }>;
}

export async function lighthouse({ quick }: { quick: boolean }): Promise<Finding[]> {
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const tools = join(folder, 'lighthouse');
      const install = [
        'install',
        `lighthouse@${VERSION}`,
        '--prefix',
        tools,
        '--ignore-scripts',
        '--no-audit',
        '--no-fund',
      ];
      await run('npm', install, { cwd: folder });
      const service = await startService(folder);
      later(service.stop);
      const url = service.url.replace('127.0.0.1', 'localhost');
      const db = await openDatabase(folder);
      const guest = await addGuest(db, folder, 12);
      await addPosts(db, guest, 1_000);
      await addPictures(db, folder, guest, 50);
      const cookie = await signInGuest(db, url, guest);
      await db.close();
      const findings: Finding[] = [];
      for (const preset of ['desktop', 'mobile'] as const)
        for (const [page, path] of [
          ['Compose', '/app/'],
          ['Posts', '/app/posts'],
        ] as const) {
          const reports: Report[] = [];
          for (let round = 0; round < (quick ? 1 : 5); round++) {
            reports.push(await audit({ tools, folder, url: url + path, cookie, preset }));
            say(
              `Lighthouse, ${page}, ${preset}: ${scoresOf(reports.slice(-1)).join(', ')}; load ${loadavg()[0]?.toFixed(1)}`,
            );
          }
          const scores = scoresOf(reports);
          const value = (id: string) =>
            milliseconds(median(reports.map(({ audits }) => audits[id]?.numericValue ?? 0)));
          findings.push({
            what: `Lighthouse, ${page}, ${preset}: performance / accessibility / best practices`,
            figure: `${scores.join(' / ')} (LCP ${value('largest-contentful-paint')}, TBT ${value('total-blocking-time')}; load ${loadavg()[0]?.toFixed(1)})`,
            ...(preset === 'desktop' ? { goal: `≥ ${GOAL}`, met: scores.every((score) => score >= GOAL) } : {}),
          });
          for (const title of missedBy(reports)) say(`   missed: ${title}`);
        }
      return findings;
    }),
  );
}

interface Audit {
  tools: string;
  folder: string;
  url: string;
  cookie: string;
  preset: 'desktop' | 'mobile';
}

async function audit({ tools, folder, url, cookie, preset }: Audit): Promise<Report> {
  const path = join(folder, 'report.json');
  const headers = join(folder, 'headers.json');
  await writeFile(headers, JSON.stringify({ Cookie: cookie }), { mode: 0o600 });
  const options = [
    ...['--output', 'json', '--output-path', path, '--quiet', '--no-enable-error-reporting'],
    // The live updates keep a connection open, so that the network is never quiet.
    ...['--max-wait-for-load', `${LOADED_MS}`],
    ...['--only-categories', CATEGORIES.join(','), '--chrome-flags=--headless=new --no-sandbox'],
    ...[
      '--extra-headers',
      JSON.stringify({ Cookie: cookie }),
      ...(preset === 'desktop' ? ['--preset', 'desktop'] : []),
    ],
  ];
  const program = join(tools, 'node_modules', 'lighthouse', 'cli', 'index.js');
  const env = { ...process.env, CHROME_PATH: chromiumPath() };
  for (let attempt = 1; ; attempt++)
    try {
      await run(process.execPath, [program, url, ...options], { env });
      break;
    } catch (error) {
      // Recording a trace fails at times. The error itself names the cookie.
      const { stderr } = error as { stderr?: string };
      if (attempt === ATTEMPTS) throw new Error(`Lighthouse failed: ${stderr}`);
      say(`   again: ${stderr?.trim()}`);
    }
  return JSON.parse(await readFile(path, 'utf8')) as Report;
}

/** Medians of 0 to 100, in the order of {@link CATEGORIES}. */
function scoresOf(reports: readonly Report[]): number[] {
  return CATEGORIES.map((name) => Math.round(100 * median(reports.map(({ categories }) => categories[name].score))));
}

/** Titles of the audits that cost points in the last run. */
function missedBy(reports: readonly Report[]): string[] {
  const last = reports.at(-1);
  if (!last) return [];
  const weighed = CATEGORIES.flatMap((name) => last.categories[name].auditRefs.filter(({ weight }) => weight > 0));
  return weighed.flatMap(({ id }) => {
    const { title, score } = last.audits[id] ?? { title: id, score: null };
    return score !== null && score < 0.9 ? [`${id}: ${title} (${score})`] : [];
  });
}
