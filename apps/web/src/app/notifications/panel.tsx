/** The list of notifications, last changed first. */
import { Button, Center, Drawer, Group, Loader, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { notificationsQuery, useMarkRead } from '../../queries/notifications.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { IconBellOff } from '../../ui/icons/index.ts';
import { Item } from './item.tsx';

interface PanelProps {
  isOpen: boolean;
  onClose(): void;
}

export default function Panel({ isOpen, onClose }: PanelProps) {
  const t = useTranslations('notifications');
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="min(26rem, 100vw)"
      title={
        <Text component="span" fw={700} size="lg">
          {t('title')}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <List onClose={onClose} />
    </Drawer>
  );
}

function List({ onClose }: Pick<PanelProps, 'onClose'>) {
  const t = useTranslations('notifications');
  const list = useInfiniteQuery(notificationsQuery(useClient()));
  const mark = useMarkRead();
  if (list.isPending)
    return (
      <Center mih={160}>
        <Loader aria-label={t('loading')} />
      </Center>
    );
  const items = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const [newest] = items;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Button
          variant="light"
          size="xs"
          disabled={items.every(({ read }) => read)}
          loading={mark.isPending && mark.variables.all}
          onClick={() => newest && mark.mutate({ id: newest.id, all: true })}
        >
          {t('readAll')}
        </Button>
        <Button component={Link} to="/settings" hash="notifications" variant="subtle" size="xs" onClick={onClose}>
          {t('settings')}
        </Button>
      </Group>
      <Failure error={list.error ?? mark.error} />
      {list.isError && (
        <Button variant="default" onClick={() => void list.refetch()}>
          {t('retry')}
        </Button>
      )}
      {list.isSuccess && items.length === 0 && <EmptyState image={IconBellOff} title={t('empty')} />}
      {items.length > 0 && (
        <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {items.map((item) => (
            <Item
              key={item.id}
              item={item}
              onOpen={() => {
                if (!item.read) mark.mutate({ id: item.id, all: false });
                onClose();
              }}
            />
          ))}
        </Stack>
      )}
      {list.hasNextPage && (
        <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}
