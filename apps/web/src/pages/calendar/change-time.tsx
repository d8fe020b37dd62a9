import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useReschedule } from '../../queries/calendar.ts';
import { timeProblem } from '../../time/schedule-limits.ts';
import type { Zone } from '../../time/zone-time.ts';
import { DateTimeField } from '../../ui/date-time-field.tsx';
import { Failure } from '../../ui/failure.tsx';
import type { Entry } from './entries.ts';
import { reasonOf } from './use-moves.ts';
import type { ZoneText } from './zone-text.ts';

interface ChangeTimeProps {
  entry: Entry;
  zone: Zone;
  text: ZoneText;
  /** @param to ms since the epoch */
  onMoved(to: number): void;
  onClose(): void;
}

/** Moves a scheduled post without dragging. If the service refuses, it stays open and shows the reason. */
export function ChangeTime({ entry, zone, text, onMoved, onClose }: ChangeTimeProps) {
  const t = useTranslations('calendar');
  const reschedule = useReschedule();
  const [at, setAt] = useState<number | null>(entry.at);
  const save = async () => {
    if (at === null || at === entry.at) return onClose();
    await reschedule.mutateAsync({ id: entry.id, at });
    onMoved(at);
    onClose();
  };
  const { error } = reschedule;
  const reason = error && t(`refused.${reasonOf(error)}`, { time: text.moment(at ?? entry.at), reason: error.message });
  return (
    <Modal opened onClose={onClose} title={t('changeTitle')} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <Text fw={600} lineClamp={2} dir="auto" translate="no">
          {entry.words || t('noDescription')}
        </Text>
        <DateTimeField label={text.moment(entry.at)} initial={entry.at} zone={zone} onChange={setAt} />
        <Failure error={reason ? new Error(reason) : null} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            disabled={at === null || timeProblem(at, Date.now()) !== null}
            loading={reschedule.isPending}
            onClick={() => void save().catch(() => {})}
          >
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
