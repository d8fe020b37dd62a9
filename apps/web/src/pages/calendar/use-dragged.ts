import { useEffect, useState } from 'react';
import type { Entry } from './entries.ts';

/** Events that end a drag. During a drag, a browser sends only the first of them. */
const ENDS = ['dragend', 'pointerdown', 'mousemove'] as const;

/**
 * The dragged entry. The browser does not report the end of a drag if the element was replaced during the drag, for
 * example because the entry is now in another row. Then the next pointer event ends it.
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
