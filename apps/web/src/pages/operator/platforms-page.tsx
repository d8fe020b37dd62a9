/** The applications at all platforms: whether they work, and how to set them up. */
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import type { PlatformSetup } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { setupsQuery, useCheckSetups } from '../../queries/setup.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Failure } from '../../ui/failure.tsx';
import { IconPlugConnected } from '../../ui/icons/index.ts';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import { useFormText } from '../../ui/rich-text.tsx';

export function PlatformsPage() {
  const t = useTranslations('operator.platforms');
  const { data: setups } = useSuspenseQuery(setupsQuery(useClient()));
  const check = useCheckSetups();
  const columns = useColumns();
  return (
    <Stack align="stretch">
      <Text>{t('lead')}</Text>
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={18} aria-hidden />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          {t('checkAll')}
        </Button>
        <Text size="sm" role="status">
          {check.isSuccess && t('checked')}
        </Text>
      </Group>
      <Failure error={check.error} />
      <DataTable label={t('list')} columns={columns} rows={setups} rowKey={({ platform }) => platform} />
    </Stack>
  );
}

function useColumns(): Column<PlatformSetup>[] {
  const t = useTranslations('operator.platforms');
  return [
    {
      key: 'platform',
      label: t('platform'),
      cell: ({ platform, name }) => (
        <Group gap="xs" wrap="nowrap">
          <PlatformIcon platform={platform} />
          <Text fw={600}>{name}</Text>
        </Group>
      ),
    },
    { key: 'applications', label: t('applications'), cell: (setup) => <Applications setup={setup} /> },
    {
      key: 'problem',
      label: t('problem'),
      cell: ({ problem }) =>
        problem ? (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {problem}
          </Text>
        ) : (
          t('noProblem')
        ),
    },
    {
      key: 'action',
      label: t('action'),
      cell: ({ platform, name, applications, configured }) =>
        applications.length > 0 && (
          <Button
            renderRoot={(props) => <Link {...props} to="/accounts" search={{ setup: platform }} />}
            size="xs"
            variant="default"
            aria-label={configured ? t('changeOf', { platform: name }) : t('setUpOf', { platform: name })}
          >
            {configured ? t('change') : t('setUp')}
          </Button>
        ),
    },
  ];
}

const COLORS = { verified: 'green', rejected: 'red', unverified: 'yellow' } as const;

function Applications({ setup: { applications } }: { setup: PlatformSetup }) {
  const t = useTranslations('operator.platforms');
  const textOf = useFormText();
  if (applications.length === 0) return <Text size="sm">{t('none')}</Text>;
  return (
    <Stack gap={4}>
      {applications.map(({ name, title, source, check }) => (
        <Group key={name} gap="xs" wrap="nowrap">
          {applications.length > 1 && <Text size="sm">{title ? textOf(title) : name}:</Text>}
          <Badge variant="light" miw="max-content" color={source ? 'green' : 'gray'}>
            {t(`source.${source ?? 'none'}`)}
          </Badge>
          {check && (
            <Badge variant="light" miw="max-content" color={COLORS[check.verdict]}>
              {t(`verdict.${check.verdict}`)}
            </Badge>
          )}
        </Group>
      ))}
    </Stack>
  );
}
