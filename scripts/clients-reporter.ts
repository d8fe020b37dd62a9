/** A Vitest reporter that prints the table of client libraries at the end of the run; see `clients.mjs`. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';
import type { ClientResult } from '../test-support/clients/contract.ts';
import { countRun, lineOf } from './reporter.ts';

const PAGE = 'docs/platforms/README.md';
const [START, END] = ['<!-- clients -->\n', '<!-- /clients -->'];

/** @returns the lines of a Markdown table: platform, client, calls that worked / tried */
export function clientTable(results: readonly ClientResult[]): string {
  const sorted = results.toSorted(
    (one, other) => one.platform.localeCompare(other.platform) || one.client.localeCompare(other.client),
  );
  const sum = (field: 'worked' | 'tried') => results.reduce((total, each) => total + each[field], 0);
  const rows = sorted.map(
    ({ platform, client, worked, tried }) => `| ${platform} | \`${client}\` | ${worked} / ${tried} |`,
  );
  const reasons = sorted.flatMap((each) =>
    each.reasons.map((reason) => `- \`${each.client}\` (${each.platform}), ${reason}`),
  );
  const total = `| all | | ${sum('worked')} / ${sum('tried')} |`;
  const table = ['| platform | client | calls: worked / tried |', '|---|---|---|', ...rows, total];
  return `${[...table, ...(reasons.length > 0 ? ['', 'Calls that do not work:', '', ...reasons] : [])].join('\n')}\n`;
}

/** Returns the page with another table. */
function withTable(page: string, table: string): string {
  const [start, end] = [page.indexOf(START), page.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`${PAGE} has no place for the table.`);
  return page.slice(0, start + START.length) + table + page.slice(end);
}

/** Vitest calls it with `new`, which returns the object that a plain function returns. */
export default function createReporter(): Reporter {
  return {
    onTestRunEnd(modules, unhandled, reason) {
      const tests = modules.flatMap((module) => [...module.children.allTests()]);
      const table = clientTable(tests.flatMap((each) => each.meta().client ?? []));
      console.log(`\n${table}`);
      const count = countRun(modules, unhandled, reason === 'interrupted');
      const isWhole = process.env.REELAY_TEST_PLATFORMS === undefined && count.failed === 0;
      const page = readFileSync(PAGE, 'utf8');
      if (isWhole && process.env.REELAY_CLIENTS_WRITE === '1') writeFileSync(PAGE, withTable(page, table));
      else if (isWhole && page !== withTable(page, table)) {
        console.log(`The table in ${PAGE} is out of date: run npm run clients -- --write.`);
        count.failed++;
      }
      console.log(lineOf(count));
      if (count.failed > 0 || count.passed === 0) process.exitCode = 1;
    },
  };
}
