/** State of the faults that a caption's tag requests ({@link TROUBLE_TAGS}). */
import { createHash } from 'node:crypto';
import { faultTagIn, type SimulatorStore } from '../contract.ts';

type Outage = Record<string, string | number>;

/** Counts a call against the outage of an account. @returns whether the call fails */
export async function isDown(store: SimulatorStore, account: string): Promise<boolean> {
  let down = false;
  await store.change<Outage>('outage', account, (outage) => {
    const left = Number(outage?.left ?? 0);
    down = left > 0;
    return down ? { ...outage, left: left - 1 } : undefined;
  });
  return down;
}

/**
 * Begins the outage that a caption requests: this call of the account fails, and the next two of any kind.
 * @param cause identifies the publish, as one named property. It begins one outage.
 * @returns whether the outage begins
 */
export async function beginOutage(
  store: SimulatorStore,
  account: string,
  cause: Record<string, string>,
): Promise<boolean> {
  let begins = false;
  await store.change<Outage>('outage', account, (outage) => {
    begins = Object.entries(cause).some(([name, value]) => outage?.[name] !== value);
    return begins ? { ...cause, left: 2 } : undefined;
  });
  return begins;
}

/** Whether a publish is refused for too many calls: its first two attempts are. */
export async function isRateLimited(store: SimulatorStore, publish: string): Promise<boolean> {
  const attempts = await store.change<number>('refused', publish, (count = 0) => count + 1);
  return (attempts ?? 1) <= 2;
}

/** Whether the requested fault still applies to a publish: it does to its first attempts. */
export async function strikes(store: SimulatorStore, publish: string, attempts: number): Promise<boolean> {
  const count = await store.change<number>('trouble', publish, (current = 0) => Math.min(current + 1, attempts + 1));
  return (count ?? 1) <= attempts;
}

/** Identifies the publishes of a caption. */
export function captionKey(account: string, caption: string): string {
  return `${account} ${createHash('sha256').update(caption).digest('hex')}`;
}

/** Clears the state of a caption's fault after the call has passed, so that the same caption requests it again. */
export async function forgetFault(store: SimulatorStore, account: string, caption: string): Promise<void> {
  const fault = faultTagIn(caption);
  if (fault === 'rate-limit') await store.remove('refused', captionKey(account, caption));
  if (fault === 'down') await store.remove('outage', account);
}
