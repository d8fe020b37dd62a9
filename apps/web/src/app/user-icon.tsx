import { ActionIcon, type ActionIconProps, VisuallyHidden } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl';
import { IconUserCircle } from '../ui/icons/index.ts';

/** The icon button of the user menu. */
export function UserIcon(props: ActionIconProps & ComponentProps<'button'>) {
  const t = useTranslations('shell');
  return (
    <ActionIcon variant="subtle" size="lg" color="gray" {...props}>
      <IconUserCircle aria-hidden />
      <VisuallyHidden>{t('userMenu')}</VisuallyHidden>
    </ActionIcon>
  );
}
