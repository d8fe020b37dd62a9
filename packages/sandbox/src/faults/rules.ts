/** Faults as data: what the command line and the HTTP interface accept. */
import { createHash } from 'node:crypto';
import type { PlatformRefusal } from '../contract.ts';
import type { Fault, FaultRequest, Faults } from './faults.ts';

/** "before": the platform did not act on the request. "after": it did, and the response is lost. */
const KINDS = {
  'reset-before': { kind: 'reset-before' },
  'reset-after': { kind: 'reset-after' },
  'timeout-before': { kind: 'timeout-before' },
  'timeout-after': { kind: 'timeout-after' },
  'garbage-before': { kind: 'garbage', acted: false },
  'garbage-after': { kind: 'garbage', acted: true },
  'slow-body': { kind: 'slow-body', ms: 2_000 },
  'rate-limited': refusal('rate-limited'),
  'rate-limited-with-wait': refusal('rate-limited-with-wait'),
  'server-error': refusal('server-error'),
  'token-expired': refusal('token-expired'),
  'token-revoked': refusal('token-revoked'),
} as const satisfies Record<string, Fault>;

export type FaultKind = keyof typeof KINDS;
export const FAULT_KINDS = Object.keys(KINDS) as readonly FaultKind[];

export interface FaultRule {
  /** Absent: every platform. */
  platform?: string;
  kind: FaultKind;
  /** Share of the matching requests, drawn by the seed: 0 to 1. Absent: all. */
  share?: number;
  /** How many requests at most; absent: no limit. */
  times?: number;
  /** Absent: any. */
  method?: string;
  /** How the path below the platform's base address begins; absent: any. */
  path?: string;
}

/** Reads `PLATFORM:KIND` or `PLATFORM:KIND:SHARE`, where the platform may be `all`. @throws Error that says what is wrong */
export function parseFault(text: string): FaultRule {
  const [platform = '', kind = '', share, ...rest] = text.split(':');
  if (!platform || rest.length > 0) throw new Error('A fault is written as PLATFORM:KIND or PLATFORM:KIND:SHARE.');
  return checkFaultRule({
    ...(platform === 'all' ? {} : { platform }),
    kind,
    ...(share === undefined ? {} : { share: share === '' ? Number.NaN : Number(share) }),
  });
}

/** Checks a rule from outside. @throws Error that says what is wrong */
export function checkFaultRule(given: unknown): FaultRule {
  const rule = (given ?? {}) as FaultRule;
  if (typeof given !== 'object' || !FAULT_KINDS.includes(rule.kind))
    throw new Error(`The fault must be one of ${FAULT_KINDS.join(', ')}.`);
  const { platform, share, times, method, path } = rule;
  for (const [name, value] of Object.entries({ platform, method, path }))
    if (value !== undefined && typeof value !== 'string') throw new Error(`"${name}" must be a text.`);
  if (share !== undefined && !(typeof share === 'number' && share >= 0 && share <= 1))
    throw new Error('The share must be a number from 0 to 1.');
  if (times !== undefined && !(Number.isInteger(times) && times > 0))
    throw new Error('"times" must be a whole number above 0.');
  return rule;
}

/**
 * Injects a rule into one platform. Which requests a share selects depends on the seed and on the number of the request
 * at this platform alone, so that the same requests in the same order meet the same faults.
 */
export function injectRule(faults: Faults, platform: string, rule: FaultRule, seed: string): void {
  const { kind, share = 1, times, method, path = '' } = rule;
  const matches = (request: FaultRequest) =>
    (method === undefined || method.toUpperCase() === request.method) &&
    request.path.startsWith(path) &&
    (share === 1 || draw(`${seed} ${platform} ${kind} ${request.count}`) < share);
  faults.add({ when: matches, fault: KINDS[kind], ...(times === undefined ? {} : { times }) });
}

/** A number from 0 up to 1, always the same for the same text. */
function draw(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

function refusal(kind: PlatformRefusal): Fault {
  return { kind: 'refusal', refusal: kind };
}
