/** The user's passkeys, and the sign-in with a passkey. The WebAuthn library is loaded when a prompt is opened. */
import type { ReelayClient } from '@reelay/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { userKeys } from './keys.ts';

export const passkeysQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: userKeys.passkeys, queryFn: () => client.user.passkeys() });

/**
 * `ready`, or why passkeys cannot be used: the browser does not support them (`unsupported`), the service's URL rules
 * them out (`no-host`), or the page was opened under another host name (`other-host`).
 */
export type PasskeyAvailability = 'ready' | 'unsupported' | 'no-host' | 'other-host';

/** Pure. @param facts.hostname host name of the page */
export function passkeyAvailability(facts: {
  passkeyHost: string | null;
  hostname: string;
  isSupported: boolean;
}): PasskeyAvailability {
  if (facts.passkeyHost === null) return 'no-host';
  if (facts.hostname !== facts.passkeyHost) return 'other-host';
  return facts.isSupported ? 'ready' : 'unsupported';
}

/** The availability in this browser, on this page. */
export const passkeysHere = (passkeyHost: string | null) =>
  passkeyAvailability({
    passkeyHost,
    hostname: window.location.hostname,
    isSupported: typeof window.PublicKeyCredential === 'function',
  });

export type PromptProblem = 'canceled' | 'known' | 'failed';

/** Why the browser's prompt returned no passkey. */
export class PromptError extends Error {
  readonly problem: PromptProblem;

  constructor(cause: unknown) {
    super('The prompt for the passkey returned none.', { cause });
    this.problem = promptProblem(cause instanceof Error ? cause.name : '');
  }
}

/** Pure. @param name of the exception, see WebAuthn, 5.1.3 and 5.1.4. Browsers report a time-out like a refusal. */
export function promptProblem(name: string): PromptProblem {
  if (name === 'NotAllowedError' || name === 'AbortError') return 'canceled';
  return name === 'InvalidStateError' ? 'known' : 'failed';
}

/** @throws PromptError */
async function prompt<Result>(open: (library: typeof import('@simplewebauthn/browser')) => Promise<Result>) {
  const library = await import('@simplewebauthn/browser');
  return open(library).catch((error: unknown) => {
    throw new PromptError(error);
  });
}

type RequestOptions = import('@simplewebauthn/browser').PublicKeyCredentialRequestOptionsJSON;
type CreationOptions = import('@simplewebauthn/browser').PublicKeyCredentialCreationOptionsJSON;

/** Signs in with a passkey, and clears the cache of a previous user. */
export function usePasskeySignIn() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    async mutationFn() {
      const optionsJSON = (await client.session.passkeyChallenge()) as unknown as RequestOptions;
      const response = await prompt((library) => library.startAuthentication({ optionsJSON }));
      return client.session.signInWithPasskey(response);
    },
    onSuccess: () => queries.clear(),
  });
}

function usePasskeyChange<Input, Result>(change: (client: ReelayClient, input: Input) => Promise<Result>) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<Result, Error, Input>({
    mutationFn: (input) => change(client, input),
    onSettled: () => queries.invalidateQueries({ queryKey: passkeysQuery(client).queryKey }),
  });
}

/** Adds a passkey of this browser or device. */
export const useAddPasskey = () =>
  usePasskeyChange(async (client, password: string) => {
    const optionsJSON = (await client.user.beginPasskey(password)) as unknown as CreationOptions;
    const response = await prompt((library) => library.startRegistration({ optionsJSON }));
    return client.user.addPasskey(response);
  });

export const useRenamePasskey = () =>
  usePasskeyChange((client, { id, name }: { id: string; name: string }) => client.user.renamePasskey(id, name));

export const useRemovePasskey = () =>
  usePasskeyChange((client, { id, password }: { id: string; password: string }) =>
    client.user.removePasskey(id, password),
  );
