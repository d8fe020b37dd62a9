import { createContext, use } from 'react';
import type { ApiDocument } from './document.ts';
import type { OperationGroup } from './operations.ts';

export interface Api {
  document: ApiDocument;
  groups: readonly OperationGroup[];
}

const ApiContext = createContext<Api | null>(null);
export const ApiProvider = ApiContext.Provider;

/** The document that the page shows. */
export function useApi(): Api {
  const api = use(ApiContext);
  if (!api) throw new Error('There is no document around this component.');
  return api;
}
