/** The settings of injected faults, per simulated platform. */
import { Button, Drawer, Group, Select, Stack, Text } from '@mantine/core';
import type { SandboxFault } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { sandboxQuery, useSetFaults } from '../../queries/sandbox.ts';
import { Failure } from '../../ui/failure.tsx';
import { PlatformIcon, platformName } from '../../ui/platform-icon.tsx';
import { faultOf, withFault } from './faults.ts';

const SHARES = [1, 0.5, 0.25, 0.1];

/** The name of a fault. Faults that the dashboard does not know keep the service's name. */
export function useFaultName(): (kind: string) => string {
  const t = useTranslations('sandbox.kind');
  return (kind) => {
    const key = kind as Parameters<typeof t>[0];
    return t.has(key) ? t(key) : kind;
  };
}

export function FaultsDrawer({ onClose }: { onClose(): void }) {
  const t = useTranslations('sandbox');
  const { data: status } = useSuspenseQuery(sandboxQuery(useClient()));
  const tStates = useTranslations('states');
  const set = useSetFaults();
  const faults = set.isPending ? set.variables : status.faults;
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="md"
      title={t('faults')}
      closeButtonProps={{ 'aria-label': tStates('close') }}
    >
      <Stack>
        <Text size="sm" c="dimmed">
          {t('faultsHint')}
        </Text>
        <Failure error={set.error} />
        {status.platforms.map((platform) => (
          <PlatformFault
            key={platform}
            platform={platform}
            kinds={status.faultKinds}
            fault={faultOf(faults, platform)}
            isDisabled={set.isPending}
            onChange={(change) => set.mutate(withFault(faults, platform, change))}
          />
        ))}
        <Button variant="default" disabled={faults.length === 0} loading={set.isPending} onClick={() => set.mutate([])}>
          {t('faultsOff')}
        </Button>
      </Stack>
    </Drawer>
  );
}

interface PlatformFaultProps {
  platform: string;
  kinds: readonly string[];
  fault: SandboxFault | null;
  isDisabled: boolean;
  onChange(change: Pick<SandboxFault, 'kind' | 'share'> | null): void;
}

function PlatformFault({ platform, kinds, fault, isDisabled, onChange }: PlatformFaultProps) {
  const t = useTranslations('sandbox');
  const format = useFormatter();
  const faultName = useFaultName();
  const name = platformName(platform);
  return (
    <Stack gap={6} component="section" aria-label={name}>
      <Group gap="xs">
        <PlatformIcon platform={platform} />
        <Text fw={600}>{name}</Text>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Select
          aria-label={`${name}: ${t('fault')}`}
          placeholder={t('none')}
          clearable
          flex={1}
          disabled={isDisabled}
          data={kinds.map((value) => ({ value, label: faultName(value) }))}
          value={fault?.kind ?? null}
          onChange={(kind) => onChange(kind ? { kind, share: fault?.share ?? 1 } : null)}
        />
        {fault && (
          <Select
            aria-label={`${name}: ${t('share')}`}
            w={96}
            allowDeselect={false}
            disabled={isDisabled}
            data={[...new Set([...SHARES, fault.share])].map((share) => ({
              value: String(share),
              label: format.number(share, { style: 'percent' }),
            }))}
            value={String(fault.share)}
            onChange={(share) => onChange({ kind: fault.kind, share: Number(share) })}
          />
        )}
      </Group>
    </Stack>
  );
}
