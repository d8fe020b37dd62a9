import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';

interface OperationsDrawerProps {
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
}

/** The list of operations on a narrow screen. Loaded when it is asked for. */
export default function OperationsDrawer({ isOpen, onClose, children }: OperationsDrawerProps) {
  const t = useTranslations('reference');
  const states = useTranslations('states');
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={t('operations')}
      size="min(22rem, 100%)"
      hiddenFrom="md"
      closeButtonProps={{ 'aria-label': states('close') }}
    >
      <nav aria-label={t('operations')}>{children}</nav>
    </Drawer>
  );
}
