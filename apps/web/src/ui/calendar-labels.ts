/** Names of the buttons of calendars, which show only arrows. */
import type { CalendarAriaLabels } from '@mantine/dates';
import { useTranslations } from 'use-intl';

const BUTTONS = ['previousMonth', 'nextMonth', 'previousYear', 'nextYear', 'previousDecade', 'nextDecade'] as const;

export function useCalendarLabels(): CalendarAriaLabels {
  const t = useTranslations('dateTime.calendar');
  return Object.fromEntries(BUTTONS.map((name) => [name, t(name)]));
}
