/** Who sends the requests of this page: the signed-in user, or the owner of the entered API key. */
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';

interface Caller {
  /** Only in memory: it is gone when the page is left. */
  apiKey: string;
  setApiKey(key: string): void;
  /** Email address of the signed-in user; null if nobody is, or the service does not say. */
  user: string | null;
  /** Whether the service was asked who is signed in, and has not answered for the first time. */
  isUnknown: boolean;
  /** Asks the service who is signed in. */
  checkSession(): Promise<void>;
}

const CallerContext = createContext<Caller | null>(null);

export function CallerProvider({ children }: { children: ReactNode }) {
  const [apiKey, setApiKey] = useState('');
  const [user, setUser] = useState<string | null>();
  const checkSession = useCallback(async () => {
    const read = import('./session.ts').then(({ readUser }) => readUser());
    setUser(await read.catch(() => null));
  }, []);
  const caller = useMemo(
    () => ({ apiKey, setApiKey, user: user ?? null, isUnknown: user === undefined, checkSession }),
    [apiKey, user, checkSession],
  );
  return <CallerContext value={caller}>{children}</CallerContext>;
}

export function useCaller(): Caller {
  const caller = use(CallerContext);
  if (!caller) throw new Error('There is no caller around this component.');
  return caller;
}
