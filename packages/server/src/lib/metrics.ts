/**
 * Metrics in Prometheus's text format 0.0.4. Counting is cheap and always on. The library for process metrics is loaded
 * on the first scrape, because it takes 19 MB.
 */
export type Labels = Readonly<Record<string, string>>;

export interface Metrics {
  /**
   * A monotonic counter.
   * @param known label sets exported as 0 from the start, so that the first event is an increase
   */
  counter(name: string, help: string, known?: readonly Labels[]): { add(by?: number, labels?: Labels): void };
  /** A value read on each scrape. If reading fails, it is omitted. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** Counts into buckets. @param bounds upper bounds, ascending @param known as for counters */
  histogram(
    name: string,
    help: string,
    bounds: readonly number[],
    known?: readonly Labels[],
  ): { observe(value: number, labels?: Labels): void };
  /** The complete text. */
  text(): Promise<string>;
}

interface Family {
  name: string;
  help: string;
  kind: 'counter' | 'gauge' | 'histogram';
  lines(): Promise<string[]>;
}

/** @param prefix prepended to every name */
export function createMetrics(prefix = 'reelay_'): Metrics {
  const families = new Map<string, Family>();
  const add = (name: string, help: string, kind: Family['kind'], lines: (full: string) => Promise<string[]>) => {
    const full = prefix + name;
    if (families.has(full)) throw new Error(`Duplicate metric ${full}.`);
    families.set(full, { name: full, help, kind, lines: () => lines(full) });
  };
  let processNumbers: Promise<() => Promise<string>> | null = null;
  return {
    counter(name, help, known = [{}]) {
      const values = new Map<string, number>(known.map((labels) => [inner(labels), 0]));
      add(name, help, 'counter', async (full) =>
        [...values].map(([labels, value]) => `${full}${braces(labels)} ${value}`),
      );
      return {
        add(by = 1, labels = {}) {
          const key = inner(labels);
          values.set(key, (values.get(key) ?? 0) + by);
        },
      };
    },
    gauge(name, help, read) {
      add(name, help, 'gauge', async (full) => {
        const value = await Promise.resolve()
          .then(read)
          .catch(() => null);
        return value === null ? [] : [`${full} ${value}`];
      });
    },
    histogram(name, help, bounds, known = [{}]) {
      const empty = () => ({ counts: bounds.map(() => 0), sum: 0, count: 0 });
      const series = new Map<string, ReturnType<typeof empty>>(known.map((labels) => [inner(labels), empty()]));
      add(name, help, 'histogram', async (full) =>
        [...series].flatMap(([labels, { counts, sum, count }]) => [
          ...bounds.map((bound, index) => `${full}_bucket${braces(labels, `le="${bound}"`)} ${counts[index] ?? 0}`),
          `${full}_bucket${braces(labels, 'le="+Inf"')} ${count}`,
          `${full}_sum${braces(labels)} ${sum}`,
          `${full}_count${braces(labels)} ${count}`,
        ]),
      );
      return {
        observe(value, labels = {}) {
          const key = inner(labels);
          const one = series.get(key) ?? empty();
          series.set(key, one);
          one.sum += value;
          one.count++;
          for (const [index, bound] of bounds.entries())
            if (value <= bound) one.counts[index] = (one.counts[index] ?? 0) + 1;
        },
      };
    },
    async text() {
      processNumbers ??= loadProcessNumbers();
      const blocks = await Promise.all(
        [...families.values()].map(async ({ name, help, kind, lines }) =>
          [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...(await lines())].join('\n'),
        ),
      );
      return `${blocks.join('\n')}\n${await (await processNumbers)()}`;
    },
  };
}

async function loadProcessNumbers(): Promise<() => Promise<string>> {
  const { Registry, collectDefaultMetrics } = await import('prom-client');
  const register = new Registry();
  collectDefaultMetrics({ register });
  return () => register.metrics();
}

function inner(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (each) => (each === '\n' ? '\\n' : `\\${each}`))}"`)
    .join(',');
}

function braces(labels: string, more = ''): string {
  const all = [labels, more].filter(Boolean).join(',');
  return all ? `{${all}}` : '';
}
