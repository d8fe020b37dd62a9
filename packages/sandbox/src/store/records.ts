/** Operations on records that most simulators need. */
import type { Blobs, PublishedEntry, SimulatorStore, SimulatorVariant } from '../contract.ts';
import { DAY } from '../time.ts';

/** Sets properties of a record. A missing record stays missing. */
export function update<T extends object>(
  store: Pick<SimulatorStore, 'change'>,
  [kind, key]: readonly [kind: string, key: string],
  values: Partial<T>,
): Promise<T | undefined> {
  return store.change<T>(kind, key, (current) => current && { ...current, ...values });
}

/** Stores a record unless its key exists. @returns the stored record */
export async function findOrCreate<T>(store: SimulatorStore, kind: string, key: string, value: T): Promise<T> {
  await store.insert(kind, key, value);
  return (await store.get<T>(kind, key)) ?? value;
}

/**
 * Settings of a simulator, in one record of its store. Tests and variants change them to simulate other documented or
 * plausible behaviors of the platform.
 * @param defaults settings of an ordinary platform
 */
export function defineSettings<T extends object>(record: readonly [kind: string, key: string], defaults: T) {
  return {
    async read({ store }: { store: SimulatorStore }): Promise<T> {
      return { ...defaults, ...(await store.get<Partial<T>>(...record)) };
    },
    variant(name: string, settings: Partial<T>): SimulatorVariant {
      return { name, prepare: (store) => store.put(...record, settings) };
    },
  };
}

/**
 * Publishes a video whose bytes are in the entry's blobs.
 * @param act see {@link SimulatorStore.publish}
 * @param size size of the file in bytes, as the record counts it. Absent: not compared.
 * @throws Error if the blobs have another size, which is a bug of the simulator
 */
export async function publishVideo(
  { store, blobs }: { store: SimulatorStore; blobs: Blobs },
  entry: Omit<PublishedEntry, 'bytes' | 'sha256'>,
  act: string,
  size?: number | null,
): Promise<void> {
  const { bytes, sha256 } = await blobs.hash(entry.blobs);
  if (size !== undefined && bytes !== size) throw new Error(`${entry.id} has ${bytes} of ${size} bytes.`);
  const { blobs: files, mime, ...post } = entry;
  await store.publish({ ...post, bytes, sha256, blobs: files, mime }, act);
}

/**
 * Counts a call in a fixed window of time.
 * @param name distinguishes the counters
 * @returns calls in this window, and its end in ms since the epoch
 */
export async function countInWindow(
  { store, now }: { store: SimulatorStore; now(): number },
  [kind, name]: readonly [kind: string, name: string],
  windowMs: number,
): Promise<{ used: number; resetAt: number }> {
  const window = Math.floor(now() / windowMs);
  const used = await store.change<number>(kind, `${name} ${window}`, (count = 0) => count + 1);
  return { used: used ?? 1, resetAt: (window + 1) * windowMs };
}

const MAX_RECORDS = 10_000;

/** All records of an owner, newest first. */
export async function ownedBy<T>({ store }: { store: SimulatorStore }, kind: string, owner: string): Promise<T[]> {
  return (await store.list<T>(kind, { owner, limit: MAX_RECORDS })).map(({ value }) => value);
}

/** The times within the last 24 hours, in ms since the epoch. */
export function lastDay(times: readonly number[], now: number): number[] {
  return times.filter((time) => time > now - DAY);
}

/** Counts a call in a sliding window. @returns false if the limit is reached; the call is then not counted */
export async function isWithinRate(
  { store, now }: { store: SimulatorStore; now(): number },
  [kind, name]: readonly [kind: string, name: string],
  { limit, windowMs }: { limit: number; windowMs: number },
): Promise<boolean> {
  let within = false;
  await store.change<number[]>(kind, name, (times = []) => {
    const recent = times.filter((time) => time > now() - windowMs);
    within = recent.length < limit;
    return within ? [...recent, now()] : undefined;
  });
  return within;
}
