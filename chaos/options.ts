/** Command-line options of a chaos run. */
import { parseArgs } from 'node:util';

export interface ChaosOptions {
  /** Targets to publish, without reposts created by rules. */
  targets: number;
  /** Posts that are made with the platforms' own apps, for rules to find, download and repost. */
  phone: number;
  /** Posts that their users change, around the time they are due. Any number also changes rules. */
  changes: number;
  /** Number of worker processes. */
  workers: number;
  /** Number of `kill -9` of a worker or the API. */
  kills: number;
  /** Number of SIGSTOP of a worker until after its lease has ended. */
  freezes: number;
  /**
   * Number of dropped, half-open or refused database connections. Every twentieth kills and restarts the database
   * itself.
   */
  cuts: number;
  /** Repeats a run's decisions. The timing of processes and network still varies. */
  seed: number;
}

const DEFAULTS = { targets: 600, phone: 60, changes: 40, workers: 3, kills: 12, freezes: 6, cuts: 20 };
const NAMES = [...Object.keys(DEFAULTS), 'seed'] as (keyof ChaosOptions)[];

/** @throws Error with a one-line message for an unknown option or a value that is not an integer */
export function readOptions(words: readonly string[], randomSeed: number): ChaosOptions {
  const options = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' }] as const));
  const { values } = parseArgs({ args: [...words], options });
  const read = (name: keyof ChaosOptions, otherwise: number) => {
    const text = values[name];
    if (text === undefined) return otherwise;
    if (typeof text !== 'string' || !/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number.`);
    return Number(text);
  };
  const { targets, phone, changes, workers, kills, freezes, cuts } = DEFAULTS;
  const given = {
    targets: read('targets', targets),
    phone: read('phone', phone),
    changes: read('changes', changes),
    workers: read('workers', workers),
    kills: read('kills', kills),
    freezes: read('freezes', freezes),
    cuts: read('cuts', cuts),
    seed: read('seed', randomSeed),
  };
  if (given.targets < 1 || given.workers < 1) throw new Error('--targets and --workers must be at least 1.');
  return given;
}
