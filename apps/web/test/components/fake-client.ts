/** A fake of the SDK: only the calls that a test gives are allowed. */
import { ReelayApiError, type ReelayClient } from '@reelay/sdk';

/** The calls that a test expects, by group. */
export type GivenCalls = {
  [Group in keyof ReelayClient]?: ReelayClient[Group] extends (...args: never[]) => unknown
    ? ReelayClient[Group]
    : Partial<ReelayClient[Group]>;
};

/** @throws Error at a call that the test does not give */
export function fakeClient(given: GivenCalls = {}): ReelayClient {
  return new Proxy(given, {
    get: (groups, group: string) => groupOf(group, Reflect.get(groups, group)),
  }) as ReelayClient;
}

function groupOf(group: string, calls: unknown): unknown {
  if (typeof calls === 'function') return calls;
  return new Proxy(Object(calls), {
    get: (own, name: string) =>
      Reflect.get(own, name) ??
      (() => {
        throw new Error(`The component called ${group}.${name}(), which the test does not give.`);
      }),
  });
}

/** An error response of the service. */
export function refusal(code: string, message = code, status = 400): ReelayApiError {
  return new ReelayApiError(message, { status, code });
}
