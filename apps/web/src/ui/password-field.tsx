import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslations } from 'use-intl';

type Props = Omit<PasswordInputProps, 'visibilityToggleButtonProps'>;

/** A required password field with a translated show button. Mantine's own label is English. */
export function PasswordField(props: Props) {
  const t = useTranslations('states');
  return <PasswordInput {...props} required visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }} />;
}
