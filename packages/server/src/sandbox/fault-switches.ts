/**
 * Faults that the operator switches on per platform. They are stored, so that they apply in every process that serves
 * simulators, within a second.
 */
import { createFaults, type Faults } from '@reelay/sandbox/faults/faults.ts';
import { type FaultRule, injectRule } from '@reelay/sandbox/faults/rules.ts';
import type { SandboxStore } from '@reelay/sandbox/store/store.ts';

export interface FaultSwitches {
  /** The faults in front of a simulator. */
  of(platform: string): Faults;
  /** Reads the switches again if they may have changed. Without a database, the last ones stay. */
  refresh(): Promise<void>;
  read(): Promise<FaultRule[]>;
  /** Replaces all switches. */
  write(rules: readonly FaultRule[]): Promise<void>;
}

const KIND = 'faults';
const KEY = 'switches';
const READ_EVERY_MS = 1_000;

/** @param clock monotonic, in ms */
export function createFaultSwitches(store: SandboxStore, clock: () => number = () => performance.now()): FaultSwitches {
  const faults = new Map<string, Faults>();
  let rules: readonly FaultRule[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  const inject = (platform: string, of: Faults) => {
    of.clear();
    for (const rule of rules) if (rule.platform === platform) injectRule(of, platform, rule, KEY);
  };
  const apply = (next: readonly FaultRule[]) => {
    readAt = clock();
    if (JSON.stringify(next) === JSON.stringify(rules)) return;
    rules = next;
    for (const [platform, of] of faults) inject(platform, of);
  };
  const read = async () => (await store.get<FaultRule[]>(KIND, KEY)) ?? [];
  return {
    of(platform) {
      const found = faults.get(platform) ?? createFaults();
      if (!faults.has(platform)) inject(platform, found);
      faults.set(platform, found);
      return found;
    },
    async refresh() {
      if (clock() - readAt < READ_EVERY_MS) return;
      readAt = clock();
      await read().then(apply, () => {});
    },
    async read() {
      apply(await read());
      return [...rules];
    },
    async write(next) {
      await store.put(KIND, KEY, next);
      apply(next);
    },
  };
}
