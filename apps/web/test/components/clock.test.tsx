/** One clock on all pages: with 12 or 24 hours, as in the user's region. */
import { render, screen } from '@testing-library/react';
import { IntlProvider, useFormatter } from 'use-intl';
import { expect, test } from 'vitest';
import { useZoneText } from '../../src/pages/calendar/zone-text.ts';
import { createZone } from '../../src/time/zone-time.ts';

const ZONE = createZone('Europe/Berlin');
const AT = Date.UTC(2026, 10, 21, 17, 30);

function Times() {
  const text = useZoneText(ZONE);
  const format = useFormatter();
  const shown = [text.time(AT), text.wall('18:30'), format.dateTime(AT, { timeStyle: 'short' })];
  return <p>{[...shown, text.hour('2026-11-21 14:00:00'), text.hour('2026-11-21 14:30:00')].join(' | ')}</p>;
}

test.each([
  ['en-US', '6:30 PM | 6:30 PM | 6:30 PM | 2 PM | 2:30 PM'],
  ['en-GB', '18:30 | 18:30 | 18:30 | 14:00 | 14:30'],
  ['de-AT', '18:30 | 18:30 | 18:30 | 14:00 | 14:30'],
])('the calendar and other pages agree in %s', (locale, expected) => {
  render(
    <IntlProvider locale={locale} timeZone="Europe/Berlin">
      <Times />
    </IntlProvider>,
  );
  expect(screen.getByText(expected)).toBeTruthy();
});
