/** Resolves tokens to accounts and stores them, and records each step of the connect attempt. */
import type { AccountFacts } from '../connectors/contract.ts';
import { type AttemptStep, noteStep } from './attempts.ts';
import { type KnownRemote, knownAccounts, nameOf, type ServiceOf, theSame } from './choosing.ts';
import { type ConnectedAccount, type Consent, connectFound, type FinishNeeds, identifyFound } from './finish.ts';
import { identityService } from './identity.ts';

/** The attempt's id and the step that it has reached. */
export interface Progress {
  id: string;
  step: AttemptStep;
}

/**
 * Finds the accounts that the tokens give access to, and the user's accounts already known at that platform.
 * @param account the account to reconnect, if any; then it is the only one returned
 * @throws PlatformError as {@link identifyFound}, and if the tokens belong to another account
 */
export async function findNoted(
  needs: FinishNeeds,
  progress: Progress,
  consent: Pick<Consent, 'userId' | 'platform' | 'sandbox' | 'tokens'>,
  account: string | undefined,
): Promise<{ found: readonly AccountFacts[]; known: readonly KnownRemote[]; serviceOf: ServiceOf }> {
  progress.step = 'profile';
  const all = await identifyFound(needs, consent);
  await noteStep(needs.db, progress.id, 'profile', `Found: ${all.map(nameOf).join(', ')}.`);
  progress.step = 'choice';
  const known = await knownAccounts(needs.db, consent.userId, consent.platform, consent.sandbox);
  const { tokens, sandbox } = consent;
  const serviceOf: ServiceOf = (facts) => identityService(facts, facts.service ?? tokens.service, sandbox);
  return { found: account ? [theSame(all, known, account, serviceOf)] : all, known, serviceOf };
}

/**
 * Stores the accounts and records the step.
 * @throws ReelayError `plan_limit_reached`
 */
export async function connectNoted(
  needs: FinishNeeds,
  progress: Progress,
  consent: Consent,
  found: readonly AccountFacts[],
): Promise<ConnectedAccount[]> {
  progress.step = 'stored';
  const connected = await connectFound(needs, consent, found);
  const names = connected.map(({ username }) => username).join(', ');
  await noteStep(needs.db, progress.id, 'stored', `Connected: ${names}.`);
  return connected;
}
