import type { AccountFacts } from '../connectors/contract.ts';

/** A server's name in keys of ours, marked where it is a simulated one, so that the two worlds never meet. */
export function serviceKey(service: string, sandbox: boolean): string {
  return sandbox ? `sandbox:${service}` : service;
}

/** What makes an account at a platform the same account, beside its id there. A simulator counts as one server. */
export function identityService(facts: AccountFacts, service: string, sandbox: boolean): string {
  return serviceKey(facts.globalId || sandbox ? '' : service, sandbox);
}
