/** Where the reader is: each operation has an address of its own below `/docs`. */
import { type ComponentProps, createContext, type MouseEvent, type ReactNode, use, useEffect, useState } from 'react';

const BASE = '/docs';

interface Place {
  /** Name of the operation; empty on the start page. */
  name: string;
  /** Changes with every visit of a page, also of the same one; 0 for the first. */
  visit: number;
}

interface Places extends Place {
  go(name: string): void;
}

const PlaceContext = createContext<Places | null>(null);

/** @param name of an operation; empty: the start page */
export const addressOf = (name: string) => (name === '' ? BASE : `${BASE}/${encodeURIComponent(name)}`);

/** Returns the name of the operation; a malformed address has none. */
export function nameIn(path: string): string {
  const name = path.slice(BASE.length).split('/').filter(Boolean).join('/');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export function PlaceProvider({ children }: { children: ReactNode }) {
  const [place, setPlace] = useState<Place>(() => ({ name: nameIn(window.location.pathname), visit: 0 }));
  const moveTo = (name: string) => setPlace(({ visit }) => ({ name, visit: visit + 1 }));
  useEffect(() => {
    const follow = () => setPlace(({ visit }) => ({ name: nameIn(window.location.pathname), visit: visit + 1 }));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const go = (name: string) => {
    window.history.pushState(null, '', addressOf(name));
    moveTo(name);
    window.scrollTo(0, 0);
  };
  return <PlaceContext value={{ ...place, go }}>{children}</PlaceContext>;
}

export function usePlace(): Places {
  const places = use(PlaceContext);
  if (!places) throw new Error('There is no place around this component.');
  return places;
}

interface PlaceLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** Name of an operation; empty: the start page. */
  to: string;
}

/** A link inside the reference. With a modifier key, the browser opens it as it does any link. */
export function PlaceLink({ to, onClick, ...props }: PlaceLinkProps) {
  const { go } = usePlace();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return <a {...props} href={addressOf(to)} onClick={follow} />;
}
