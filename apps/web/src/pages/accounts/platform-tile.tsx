/** A platform to connect: name, features, and whether it is set up. */
import { Badge, Group, Loader, Stack, Text, UnstyledButton } from '@mantine/core';
import type { ConnectablePlatform } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { PlatformIcon } from '../../ui/platform-icon.tsx';
import classes from './platform-tile.module.css';

interface PlatformTileProps {
  entry: ConnectablePlatform;
  isOperator: boolean;
  isLoading: boolean;
  onChoose(): void;
}

/** A long label wraps on a phone. */
const WRAPPED = { label: { whiteSpace: 'normal' } } as const;

export function PlatformTile({ entry, isOperator, isLoading, onChoose }: PlatformTileProps) {
  const t = useTranslations('accounts');
  const { platform, name, configured, limits, finds } = entry;
  return (
    <UnstyledButton className={classes.tile} aria-busy={isLoading} disabled={isLoading} onClick={onChoose}>
      <Stack gap={6}>
        <Group gap="xs" justify="space-between">
          <Group gap="xs" wrap="nowrap">
            {isLoading ? (
              <Loader size={24} aria-label={t('connecting')} />
            ) : (
              <PlatformIcon platform={platform} size={24} />
            )}
            <Text fw={600}>{name}</Text>
          </Group>
          {!configured && (
            <Badge variant="light" color={isOperator ? 'brand' : 'gray'} h="auto" styles={WRAPPED}>
              {isOperator ? t('toSetUp') : t('notSetUp')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {t('can.caption', { limit: limits.caption })}
        </Text>
        <Text size="sm" c="dimmed">
          {t(`can.rules.${finds}`)}
        </Text>
      </Stack>
    </UnstyledButton>
  );
}
