/** Measures adding a rule for a user with as many edges as a plan allows, and with many more, compared with reading all. */
import { loadPlans, type Plan } from '../../packages/server/src/config/plans.ts';
import { connectors } from '../../packages/server/src/connectors/registry.ts';
import type { Database } from '../../packages/server/src/db/database.ts';
import { ReelayError } from '../../packages/server/src/errors/reelay-error.ts';
import { addRule } from '../../packages/server/src/reposts/service.ts';
import { startDatabase } from '../kit/database.ts';
import { type Finding, median, milliseconds, quantile, ratio, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { type Account, addUsers } from '../kit/rows.ts';
import { addAccounts, addRules, drawer, type Rule } from '../kit/rules.ts';

/** Places of the two accounts of a new rule. */
type Draw = (count: (below: number) => number) => [from: number, to: number];

interface Shape {
  name: string;
  accounts: number;
  rules(accounts: readonly Account[]): Rule[];
  draw: Draw;
}

/** Places from a lower to a higher account, which never form a cycle. */
const upward = (accounts: number, draw: (below: number) => number): [number, number] => {
  const [a, b] = [draw(accounts), draw(accounts - 1)];
  return a <= b ? [a, b + 1] : [b, a];
};

/** @param edges of each graph */
function shapesOf(edges: number): Shape[] {
  // Twice as many pairs as edges at least.
  const few = Math.max(edges / 50, Math.ceil(2 * Math.sqrt(edges)));
  const [many, layer, chain] = [edges / 10, edges / 50, edges / 2];
  const random = (name: string, accounts: number): Shape => ({
    name,
    accounts,
    rules: (all) => {
      const draw = drawer();
      const destinations = new Map<Account, Set<Account>>();
      for (let left = edges; left > 0; ) {
        const [from, to] = upward(accounts, draw).map((place) => all[place]) as [Account, Account];
        const known = destinations.get(from) ?? new Set();
        destinations.set(from, known);
        if (known.has(to)) continue;
        known.add(to);
        left--;
      }
      return [...destinations].map(([from, to]) => ({ from, to: [...to] }));
    },
    draw: (draw) => upward(accounts, draw),
  });
  return [
    random(`random rules between ${many.toLocaleString('en')} accounts`, many),
    random(`random rules between ${few.toLocaleString('en')} accounts`, few),
    {
      name: 'sources to destinations, one rule per edge',
      accounts: layer * 2,
      rules: (all) =>
        Array.from({ length: edges }, (_, at) => ({
          from: all[at % layer] as Account,
          to: [all[layer + ((at + Math.floor(at / layer)) % layer)] as Account],
        })),
      draw: (draw) => [draw(layer), layer + draw(layer)],
    },
    {
      name: 'two chains and a rule that joins them (worst case)',
      accounts: chain * 2,
      rules: (all) =>
        Array.from({ length: chain * 2 - 1 }, (_, at) => ({
          from: all[at] as Account,
          to: [all[at + 1] as Account],
        })).filter((_, at) => at !== chain - 1),
      draw: () => [chain - 1, chain],
    },
  ];
}

/** Edges of a user, and the ms in which 99 of 100 rules are added. A plan allows 5,000. */
const SIZES = [
  { edges: 5_000, goal: 20 },
  { edges: 100_000, goal: 100 },
];

export async function graph({ quick }: { quick: boolean }): Promise<Finding[]> {
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const { db, close } = await startDatabase(folder);
      later(close);
      // Filling takes longer than a statement of the service may.
      const slow = db.within(600_000);
      const findings: Finding[] = [];
      const sizes = quick ? SIZES.slice(0, 1) : SIZES;
      for (const { edges, goal, shape } of sizes.flatMap((size) =>
        shapesOf(size.edges).map((shape) => ({ ...size, shape })),
      )) {
        const [userId = ''] = await addUsers(db, 1);
        const accounts = await addAccounts(slow, userId, shape.accounts);
        await addRules(slow, shape.rules(accounts));
        await db.execute('vacuum analyze');
        const whole = await wholeGraph(db, userId);
        const added = await adding(db, { userId, accounts, draw: shape.draw, count: quick ? 100 : 300 });
        say(`${edges} edges, ${shape.name}: ${milliseconds(median(added))}`);
        findings.push({
          what: `a rule added to ${edges.toLocaleString('en')} edges, ${shape.name}: median / p99`,
          figure: `${milliseconds(median(added))} / ${milliseconds(quantile(added, 0.99))}; ${ratio(median(added) / whole)} of reading all edges (${milliseconds(whole)})`,
          goal: `p99 ≤ ${goal} ms`,
          met: quantile(added, 0.99) <= goal,
        });
      }
      return findings;
    }),
  );
}

const PLENTY: Plan = {
  ...loadPlans(undefined).PRO,
  rules: 1_000_000,
};

/** Adds rules one after the other, and removes each. @returns the ms of each */
async function adding(
  db: Database,
  { userId, accounts, draw, count }: { userId: string; accounts: readonly Account[]; draw: Draw; count: number },
): Promise<number[]> {
  const deps = {
    db,
    connectors,
    config: { plans: { FREE: PLENTY, STARTER: PLENTY, INFLUENCER: PLENTY, PRO: PLENTY }, sandbox: true },
  };
  const below = drawer(2);
  const taken: number[] = [];
  while (taken.length < count) {
    const [from, to] = draw(below);
    const began = performance.now();
    try {
      const id = await addRule(deps, userId, { from: accounts[from]?.id ?? '', to: [accounts[to]?.id ?? ''] });
      taken.push(performance.now() - began);
      await db.execute('delete from rule where id = $1', [id]);
    } catch (error) {
      if (!(error instanceof ReelayError && error.code === 'duplicate_rule')) throw error;
    }
  }
  return taken;
}

/** The ms of reading all edges of the user, which any search in memory would need. */
async function wholeGraph(db: Database, userId: string): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < 9; round++) {
    const began = performance.now();
    await db.query(
      `select r.from_account, d.account_id from rule r join rule_destination d on d.rule_id = r.id where r.user_id = $1`,
      [userId],
    );
    taken.push(performance.now() - began);
  }
  return median(taken);
}
