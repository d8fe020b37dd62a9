/** Due and finished work, and the running processes. */
import { Alert, Badge, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { QueueStatus } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { queuesQuery } from '../../queries/operator.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { platformName } from '../../ui/platform-icon.tsx';
import { useQuantities } from '../../ui/quantities.tsx';
import { Gauge } from './gauge.tsx';
import { RateChart } from './rate-chart.tsx';

type Queue = QueueStatus['queues'][number];
type Worker = QueueStatus['workers'][number];
type Part = QueueStatus['parts'][number];

const WORKER_COLORS = { alive: 'green', silent: 'red', stopped: 'gray' } as const;

export function QueuePage() {
  const t = useTranslations('operator.queue');
  const tOperator = useTranslations('operator');
  const format = useFormatter();
  const quantities = useQuantities();
  const { data } = useSuspenseQuery(queuesQuery(useClient()));
  const workerColumns = useWorkerColumns();
  const posts = data.queues.find(({ name }) => name === 'posts');
  const oldest = posts?.oldestSeconds ?? null;
  const { posted, failed, intervals } = data.lastHour;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
        <Gauge label={t('due')} value={format.number(posts?.due ?? 0)} hint={t('dueHint')} />
        <Gauge
          label={t('late')}
          value={format.number(posts?.late ?? 0)}
          hint={t('lateHint')}
          isBad={(posts?.late ?? 0) > 0}
        />
        <Gauge
          label={t('retrying')}
          value={format.number(data.retrying.reduce((sum, { posts: each }) => sum + each, 0))}
          hint={
            data.retrying.length === 0
              ? t('dueHint')
              : data.retrying
                  .map(({ platform, posts: each }) => `${platformName(platform)}: ${format.number(each)}`)
                  .join(', ')
          }
        />
        <Gauge
          label={t('oldest')}
          value={oldest === null ? '–' : quantities.seconds(oldest)}
          hint={oldest === null ? t('nothing') : t('oldestHint')}
        />
        <Gauge label={t('rate')} value={format.number(posted + failed)} hint={t('rateHint', { posted, failed })} />
      </SimpleGrid>
      <RateChart intervals={intervals} />
      <Text size="sm" c="dimmed">
        {tOperator('live')}
      </Text>
      <Title order={2} size="h4">
        {t('workers')}
      </Title>
      {data.workers.length === 0 ? (
        <Alert color="red" title={t('state.silent')}>
          {t('noWorkers')}
        </Alert>
      ) : (
        <DataTable label={t('workers')} columns={workerColumns} rows={data.workers} rowKey={({ id }) => id} />
      )}
      <Title order={2} size="h4">
        {t('queues')}
      </Title>
      <DataTable label={t('queues')} columns={useQueueColumns()} rows={data.queues} rowKey={({ name }) => name} />
      <Title order={2} size="h4">
        {t('parts')}
      </Title>
      <DataTable label={t('parts')} columns={usePartColumns()} rows={data.parts} rowKey={({ name }) => name} />
    </Stack>
  );
}

function useQueueColumns(): Column<Queue>[] {
  const t = useTranslations('operator.queue');
  const format = useFormatter();
  const { seconds } = useQuantities();
  return [
    { key: 'name', label: t('queue'), cell: ({ name }) => <Text fw={600}>{t(`name.${name}`)}</Text> },
    { key: 'due', label: t('due'), isNumber: true, cell: ({ due }) => format.number(due) },
    { key: 'late', label: t('late'), isNumber: true, cell: ({ late }) => format.number(late) },
    {
      key: 'oldest',
      label: t('oldest'),
      isNumber: true,
      cell: ({ oldestSeconds }) => (oldestSeconds === null ? '–' : seconds(oldestSeconds)),
    },
  ];
}

function useWorkerColumns(): Column<Worker>[] {
  const t = useTranslations('operator.queue');
  const format = useFormatter();
  const { seconds } = useQuantities();
  return [
    {
      key: 'worker',
      label: t('worker'),
      cell: ({ pid }) => <Text fw={600}>{t('process', { pid: String(pid) })}</Text>,
    },
    {
      key: 'state',
      label: t('status'),
      cell: ({ state }) => (
        <Badge variant="light" color={WORKER_COLORS[state]}>
          {t(`state.${state}`)}
        </Badge>
      ),
    },
    {
      key: 'heartbeat',
      label: t('heartbeat'),
      cell: ({ heartbeatSeconds }) => t('ago', { time: seconds(heartbeatSeconds) }),
    },
    {
      key: 'started',
      label: t('started'),
      cell: ({ startedAt }) => format.dateTime(new Date(startedAt), { dateStyle: 'medium', timeStyle: 'short' }),
    },
    { key: 'accounts', label: t('accounts'), cell: ({ accounts }) => t('accountCount', { count: accounts }) },
  ];
}

/** The name of a loop. Loops that the dashboard does not know keep the service's name. */
function usePartName(): (name: string) => string {
  const t = useTranslations('operator.queue.partName');
  return (name) => {
    const key = name as Parameters<typeof t>[0];
    return t.has(key) ? t(key) : name;
  };
}

function usePartColumns(): Column<Part>[] {
  const t = useTranslations('operator.queue');
  const nameOf = usePartName();
  return [
    { key: 'name', label: t('part'), cell: ({ name }) => <Text fw={600}>{nameOf(name)}</Text> },
    {
      key: 'status',
      label: t('status'),
      cell: ({ ok, detail }) => (
        <Badge variant="light" color={ok ? 'green' : 'red'}>
          {ok && detail === 'ok' ? t('ok') : detail}
        </Badge>
      ),
    },
  ];
}
