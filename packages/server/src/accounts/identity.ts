/**
 * Identities: which accounts at a platform are the same account. Users who connect the same account share its identity,
 * and so its lane, budgets and placements. Therefore only a server with authority over a remote id may name it.
 */
import type { AccountFacts } from '../connectors/contract.ts';

/**
 * Returns a server's name for database keys. Simulated servers get a prefix, so that they never collide with real ones.
 */
export function serviceKey(service: string, sandbox: boolean): string {
  return sandbox ? `sandbox:${service}` : service;
}

/**
 * Returns the server that scopes an account's remote id: "" for the platform itself, else the origin of the server that
 * responded. A simulator counts as one server.
 */
export function identityService(facts: Pick<AccountFacts, 'globalId'>, service: string, sandbox: boolean): string {
  return serviceKey(facts.globalId || sandbox ? '' : originOf(service), sandbox);
}

/** All paths of one server share its authority. */
function originOf(service: string): string {
  return URL.parse(service)?.origin ?? service;
}
