/** Injects the faults that a caption's tag requests ({@link TROUBLE_TAGS}), and stores their state. */
import { createHash } from 'node:crypto';
import { faultTagIn, type SimulatorResponse, type SimulatorStore, type Trouble } from '../contract.ts';
import { Refused } from '../refused.ts';
import { SECOND } from '../time.ts';

export interface FaultRequester {
  caption: string;
  /** Identifies the publish: the same one meets a fault a limited number of times. */
  publish: string;
  /** Account whose calls all fail during an outage ({@link isDown}). Absent: only those of this publish fail. */
  account?: string;
}

/** The errors of a platform. */
export interface FaultResponses {
  /** Ends the login. @returns the error for its tokens */
  reconnect(): Promise<SimulatorResponse>;
  /** Absent: the platform accepts the publish and rejects the post later. */
  reject?(): SimulatorResponse | Promise<SimulatorResponse>;
  rateLimited: SimulatorResponse;
  down: SimulatorResponse;
}

/** Throws the error that a caption requests. @returns the requested fault if it needs no error @throws Refused */
export async function injectRequestedFault(
  store: SimulatorStore,
  { caption, publish, account }: FaultRequester,
  responses: FaultResponses,
): Promise<Trouble | null> {
  const fault = faultTagIn(caption);
  if (fault === 'reconnect') throw new Refused(await responses.reconnect());
  if (fault === 'reject' && responses.reject) throw new Refused(await responses.reject());
  if (fault === 'rate-limit' && (await isAttempt(store, publish, 2))) throw new Refused(responses.rateLimited);
  if (fault === 'down') {
    const fails = account === undefined ? isAttempt(store, publish, 3) : beginOutage(store, account, publish);
    if (await fails) throw new Refused(responses.down);
  }
  return fault;
}

/** How long processing takes: a caption can request that it is slow. */
export function processingTime(fault: Trouble | null, usualMs: number): number {
  return fault === 'slow' ? Math.max(30 * SECOND, usualMs) : usualMs;
}

/** The fault that is injected into the response of a successful publish, if the caption requests one. */
export function responseFault(fault: Trouble | null): SimulatorResponse['trouble'] {
  return fault === 'slow' || fault === 'lost-answer' ? fault : undefined;
}

/** Counts an attempt of a publish. @returns whether it is one of the first */
export async function isAttempt(store: SimulatorStore, publish: string, first: number): Promise<boolean> {
  const count = await store.change<number>('trouble', publish, (current = 0) => Math.min(current + 1, first + 1));
  return (count ?? 1) <= first;
}

interface Outage {
  publish: string;
  /** Calls that still fail. */
  left: number;
}

/** Counts a call against the outage of an account. @returns whether the call fails */
export async function isDown(store: SimulatorStore, account: string): Promise<boolean> {
  let down = false;
  await store.change<Outage>('outage', account, (outage) => {
    down = outage !== undefined && outage.left > 0;
    return outage && down ? { ...outage, left: outage.left - 1 } : undefined;
  });
  return down;
}

/** Begins an outage, once per publish: this call of the account fails, and the next two of any kind. */
async function beginOutage(store: SimulatorStore, account: string, publish: string): Promise<boolean> {
  let begins = false;
  await store.change<Outage>('outage', account, (outage) => {
    begins = outage?.publish !== publish;
    return begins ? { publish, left: 2 } : undefined;
  });
  return begins;
}

/** Identifies the publishes of a caption. */
export function captionKey(account: string, caption: string): string {
  return `${account} ${createHash('sha256').update(caption).digest('hex')}`;
}

/** Clears the state of a caption's fault after the call has passed, so that the same caption requests it again. */
export async function forgetFault(store: SimulatorStore, account: string, caption: string): Promise<void> {
  const fault = faultTagIn(caption);
  if (fault === 'rate-limit') await store.remove('trouble', captionKey(account, caption));
  if (fault === 'down') await store.remove('outage', account);
}
