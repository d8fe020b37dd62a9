import { useMemo } from 'react';
import { useTimeZone } from 'use-intl';
import { createZone, type Zone } from './zone-time.ts';

/** The zone in which the page shows times. */
export function useZone(): Zone {
  const name = useTimeZone() ?? 'UTC';
  return useMemo(() => createZone(name), [name]);
}
