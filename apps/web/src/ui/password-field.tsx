import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslations } from 'use-intl';

type Props = Omit<PasswordInputProps, 'visibilityToggleButtonProps'>;

/** A required field for a password, which can be shown. Mantine's label of that button is English. */
export function PasswordField(props: Props) {
  const t = useTranslations('states');
  return <PasswordInput {...props} required visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }} />;
}
