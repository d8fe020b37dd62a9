/**
 * Identities: which accounts at a platform are one and the same. Users who connect the same account share its identity,
 * and with it the lane, the budgets and the placements, so only a server that has authority over a remote id may name it.
 */
import type { AccountFacts } from '../connectors/contract.ts';

/** A server's name in keys of ours, marked where it is a simulated one, so that the two worlds never meet. */
export function serviceKey(service: string, sandbox: boolean): string {
  return sandbox ? `sandbox:${service}` : service;
}

/**
 * The server that scopes an account's remote id: "" for the platform itself, else the origin of the server that answered.
 * A simulator counts as one server.
 */
export function identityService(facts: Pick<AccountFacts, 'globalId'>, service: string, sandbox: boolean): string {
  return serviceKey(facts.globalId || sandbox ? '' : originOf(service), sandbox);
}

/** All paths of one server share its authority. */
function originOf(service: string): string {
  return URL.parse(service)?.origin ?? service;
}
