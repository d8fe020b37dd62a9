import { createClient, type ReelayClient } from '@reelay/sdk';
import { createContext, useContext } from 'react';

/**
 * @param origin of the page, which the service serves
 * @param language of the service's texts, read for each request
 */
export function createServiceClient(origin: string, language: () => string, send: typeof fetch): ReelayClient {
  return createClient({ baseUrl: origin, language, fetch: send });
}

const ClientContext = createContext<ReelayClient | null>(null);
export const ClientProvider = ClientContext.Provider;

/** The client of the signed-in user. */
export function useClient(): ReelayClient {
  const client = useContext(ClientContext);
  if (!client) throw new Error('There is no client around this component.');
  return client;
}
