/** Who sends the requests of this page: the signed-in user, or the owner of the entered API key. */
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';

interface Caller {
  /** Only in memory: it is gone when the page is left. */
  apiKey: string;
  setApiKey(key: string): void;
  /** Email address of the signed-in user; null if nobody is, or it is not known yet. */
  user: string | null;
  /** Asks the service who is signed in. */
  checkSession(): Promise<void>;
}

const CallerContext = createContext<Caller | null>(null);

export function CallerProvider({ children }: { children: ReactNode }) {
  const [apiKey, setApiKey] = useState('');
  const [user, setUser] = useState<string | null>(null);
  const checkSession = useCallback(async () => {
    const { readUser } = await import('./session.ts');
    setUser(await readUser());
  }, []);
  const caller = useMemo(() => ({ apiKey, setApiKey, user, checkSession }), [apiKey, user, checkSession]);
  return <CallerContext value={caller}>{children}</CallerContext>;
}

export function useCaller(): Caller {
  const caller = use(CallerContext);
  if (!caller) throw new Error('There is no caller around this component.');
  return caller;
}
