/** Used and free storage, and its limits. */
import { Alert, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import type { StorageStatus } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { storageQuery } from '../../queries/operator.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { useQuantities } from '../../ui/quantities.tsx';
import { Gauge } from './gauge.tsx';
import { usedShare } from './usage.ts';

type Stored = StorageStatus['stored'][number];

export function StoragePage() {
  const t = useTranslations('operator.storage');
  const tOperator = useTranslations('operator');
  const { bytes } = useQuantities();
  const { data } = useSuspenseQuery(storageQuery(useClient()));
  const { freeBytes, minFreeBytes, retentionDays, stored } = data;
  const isLow = freeBytes !== null && freeBytes < minFreeBytes;
  const sum = stored.reduce((total, each) => total + each.bytes, 0);
  return (
    <Stack>
      {isLow && (
        <Alert color="red" title={t('low')} role="alert">
          {t('lowHint')}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Gauge
          label={t('free')}
          value={freeBytes === null ? t('unlimited') : bytes(freeBytes)}
          hint={t('freeHint', { bytes: bytes(minFreeBytes) })}
          isBad={isLow}
        />
        <Gauge label={t('stored')} value={bytes(sum)} hint={t('retention', { days: retentionDays })} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {tOperator('liveSlowly')}
      </Text>
      <DataTable label={t('stored')} columns={useColumns()} rows={stored} rowKey={({ kind }) => kind} />
    </Stack>
  );
}

function useColumns(): Column<Stored>[] {
  const t = useTranslations('operator.storage');
  const format = useFormatter();
  const { bytes } = useQuantities();
  return [
    { key: 'what', label: t('what'), cell: ({ kind }) => <Text fw={600}>{t(`kind.${kind}`)}</Text> },
    { key: 'size', label: t('size'), isNumber: true, cell: (row) => bytes(row.bytes) },
    {
      key: 'files',
      label: t('files'),
      isNumber: true,
      cell: ({ files }) => (files === null ? '–' : format.number(files)),
    },
    { key: 'share', label: t('share'), cell: (row) => <Share row={row} /> },
  ];
}

function Share({ row: { bytes: used, maxBytes } }: { row: Stored }) {
  const t = useTranslations('operator.storage');
  const format = useFormatter();
  const { bytes } = useQuantities();
  if (maxBytes === null)
    return (
      <Text size="sm" c="dimmed">
        {t('noLimit')}
      </Text>
    );
  const share = usedShare({ value: maxBytes, used });
  const text = t('shareOf', { percent: format.number(share, { style: 'percent' }), limit: bytes(maxBytes) });
  return (
    <Stack gap={4}>
      <Text size="sm">{text}</Text>
      <Progress size={6} value={share * 100} color={share > 0.9 ? 'red' : undefined} aria-label={text} />
    </Stack>
  );
}
