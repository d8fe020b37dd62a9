/** Scheduled and published posts by day. The URL contains the view and the date. */
import '@mantine/schedule/styles.layer.css';
import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { usePolling } from '../../live/use-live.ts';
import { calendarQuery, usePendingMoves, withMoves } from '../../queries/calendar.ts';
import { useClient } from '../../queries/client.ts';
import { useZone } from '../../time/use-zone.ts';
import { dayOf } from '../../time/zone-time.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { RelayPicture } from '../../ui/relay-picture.tsx';
import { ChangeTime } from './change-time.tsx';
import { type Entry, entriesIn } from './entries.ts';
import { EntryList } from './entry-list.tsx';
import { firstHour } from './first-hour.ts';
import type { GridProps } from './grid-props.ts';
import { MonthGrid } from './month-grid.tsx';
import { MoveNotice } from './move-notice.tsx';
import { movedTo } from './moves.ts';
import { type CalendarSearch, daysOf, momentsOf, turn } from './range.ts';
import { Toolbar } from './toolbar.tsx';
import { useDragged } from './use-dragged.ts';
import { useMoves } from './use-moves.ts';
import { WeekGrid } from './week-grid.tsx';
import { useZoneText } from './zone-text.ts';

/** How often the posts are read while live updates do not arrive, in ms. */
const POLL_MS = 15_000;

export function CalendarPage() {
  const t = useTranslations('calendar');
  const tStates = useTranslations('states');
  const client = useClient();
  const zone = useZone();
  const text = useZoneText(zone);
  const now = Date.now();
  const today = dayOf(zone.wallAt(now));
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const search = useSearch({ from: '/signed-in/calendar' });
  const view = search.view ?? (isNarrow ? 'list' : 'month');
  const date = search.date ?? today;
  const navigate = useNavigate({ from: '/calendar' });
  /** Updates the current URL, because the rendered page may not show the previous change yet. */
  const show = (search: (before: CalendarSearch) => CalendarSearch) => void navigate({ search });
  const days = daysOf(view, date);
  const refetchInterval = usePolling(POLL_MS);
  const found = useQuery({ ...calendarQuery(client, momentsOf(days, zone)), refetchInterval });
  const isRead = found.isSuccess && !found.isPlaceholderData;
  const moves = useMoves();
  const { close } = moves;
  const closeNotice = useCallback(() => close(), [close]);
  const [dragged, setDragged] = useDragged();
  const [changed, setChanged] = useState<Entry | null>(null);
  const posts = withMoves(found.data?.posts ?? [], usePendingMoves());
  const entries = entriesIn(posts, days, { zone, now });
  const grid: GridProps = {
    date,
    entries,
    zone,
    text,
    now,
    dragged,
    onDrag: setDragged,
    onDrop: (entry, drop) => {
      setDragged(null);
      moves.move(entry, movedTo(entry, drop, zone));
    },
    onCreate: (at) => void navigate({ to: '/', search: { at } }),
    onChangeTime: setChanged,
    onDay: (day) => show((before) => ({ ...before, view: 'list', date: day })),
  };
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{t('title')}</PageTitle>
        {found.isFetching && <Loader size="sm" aria-label={tStates('loading')} />}
      </Group>
      <Toolbar
        view={view}
        heading={view === 'month' ? text.month(date) : text.range(days.first, days.last)}
        zone={zone.name}
        onView={(next) => show((before) => ({ ...before, view: next }))}
        onTurn={(direction) => show((before) => ({ ...before, date: turn(view, before.date ?? today, direction) }))}
        onToday={() => show(({ view: kept }) => (kept ? { view: kept } : {}))}
      />
      {found.error && (
        <Group>
          <Failure error={found.error} />
          <Button variant="default" onClick={() => void found.refetch()}>
            {tStates('retry')}
          </Button>
        </Group>
      )}
      {found.data?.isComplete === false && <Alert>{t('incomplete', { count: found.data.posts.length })}</Alert>}
      {view === 'month' && <MonthGrid {...grid} />}
      {/* It scrolls when it is made, so it is made again when the posts are there. */}
      {view === 'week' && (
        <WeekGrid key={`${days.first} ${isRead}`} firstHour={firstHour(days, entries, grid)} {...grid} />
      )}
      {view === 'list' && <EntryList entries={entries} text={text} today={today} onChangeTime={setChanged} />}
      {view === 'list' && isRead && entries.length === 0 && (
        <EmptyState
          image={<RelayPicture name="calendar" />}
          title={t('empty')}
          action={
            <Button component={Link} to="/">
              {t('new')}
            </Button>
          }
        />
      )}
      {view !== 'list' && entries.some(({ isMovable }) => isMovable) && (
        <Text size="sm" c="dimmed">
          {t('dragHint')}
        </Text>
      )}
      {changed && (
        <ChangeTime
          entry={changed}
          zone={zone}
          text={text}
          onMoved={(to) => moves.announce({ kind: 'moved', id: changed.id, from: changed.at, to })}
          onClose={() => setChanged(null)}
        />
      )}
      <MoveNotice notice={moves.notice} text={text} onUndo={moves.undo} onClose={closeNotice} />
    </Stack>
  );
}
