import { useCallback } from 'react';
import { useFormatter } from 'use-intl';
import { withLocalTimes } from './service-times.ts';

/** Writes the times in a text of the service in the user's time zone. */
export function useServiceText(): (text: string) => string {
  const format = useFormatter();
  return useCallback(
    (text) => withLocalTimes(text, (ms) => format.dateTime(new Date(ms), { dateStyle: 'medium', timeStyle: 'short' })),
    [format],
  );
}

/** A text of the service, with its times in the user's time zone. */
export function ServiceText({ children }: { children: string }) {
  return useServiceText()(children);
}
