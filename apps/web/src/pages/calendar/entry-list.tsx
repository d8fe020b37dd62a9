import { Button, Group, Image, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { IconClockEdit } from '../../ui/icons/index.ts';
import { mediaAddress } from '../../ui/media-address.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import classes from './calendar.module.css';
import { byDay, type Entry } from './entries.ts';
import type { ZoneText } from './zone-text.ts';

interface EntryListProps {
  entries: readonly Entry[];
  text: ZoneText;
  /** Today in the user's time zone. */
  today: string;
  onChangeTime(entry: Entry): void;
}

/** The posts of some weeks by day. */
export function EntryList({ entries, text, today, onChangeTime }: EntryListProps) {
  const t = useTranslations('calendar');
  return (
    <Stack maw={900} gap="lg">
      {byDay(entries).map(([day, ofDay]) => (
        <section key={day} aria-labelledby={`day-${day}`}>
          <Title order={2} size="h5" id={`day-${day}`} mb="xs">
            {day === today ? `${t('today')}, ${text.day(day)}` : text.day(day)}
          </Title>
          <Stack component="ul" gap="xs" p={0} m={0} className={classes.list}>
            {ofDay.map((entry) => (
              <Paper component="li" key={entry.id} withBorder p="xs" className={classes.row}>
                <Row entry={entry} text={text} onChangeTime={onChangeTime} />
              </Paper>
            ))}
          </Stack>
        </section>
      ))}
    </Stack>
  );
}

function Row({ entry, text, onChangeTime }: Pick<EntryListProps, 'text' | 'onChangeTime'> & { entry: Entry }) {
  const t = useTranslations('calendar');
  const words = entry.words || t('noDescription');
  const time = text.time(entry.at);
  return (
    <Group align="flex-start" gap="sm" justify="flex-end">
      <Image src={mediaAddress(entry.filename)} alt="" w={36} h={64} radius="sm" fit="cover" loading="lazy" />
      <Stack gap={4} miw={190} flex={1}>
        <Group gap="xs">
          <Text component="time" dateTime={new Date(entry.at).toISOString()} fw={600}>
            {time}
          </Text>
          <StatusBadge look={entry.status} />
        </Group>
        <Text
          component={Link}
          to={`/posts/${entry.id}` as '/posts/$id'}
          className={classes.rowLink}
          dir="auto"
          translate="no"
          truncate
        >
          {words}
        </Text>
        <Text size="sm" c="dimmed">
          {t('accounts', { count: entry.accounts })}
        </Text>
      </Stack>
      {entry.isMovable && (
        <Button
          className={classes.rowChange}
          variant="default"
          size="compact-md"
          leftSection={<IconClockEdit size={16} aria-hidden />}
          aria-label={t('changeOf', { post: `${time} ${words}` })}
          onClick={() => onChangeTime(entry)}
        >
          {t('change')}
        </Button>
      )}
    </Group>
  );
}
