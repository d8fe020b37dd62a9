import { useEffect, useState } from 'react';
import type { Entry } from './entries.ts';

/** While something is dragged, a browser sends none of these but the first. */
const ENDS = ['dragend', 'pointerdown', 'mousemove'] as const;

/**
 * The entry that is dragged. The browser does not report the end of a drag whose element was replaced meanwhile, for
 * example because the entry is now in another row. The next sign of the pointer ends it then.
 */
export function useDragged() {
  const [dragged, setDragged] = useState<Entry | null>(null);
  const isDragging = dragged !== null;
  useEffect(() => {
    if (!isDragging) return;
    const listening = new AbortController();
    for (const type of ENDS)
      window.addEventListener(type, () => setDragged(null), { capture: true, signal: listening.signal });
    return () => listening.abort();
  }, [isDragging]);
  return [dragged, setDragged] as const;
}
