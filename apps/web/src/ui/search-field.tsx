import { CloseButton, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { IconSearch } from './icons/index.ts';

interface SearchFieldProps {
  /** Accessible name of the field. */
  label: string;
  value: string;
  onChange(value: string): void;
}

const MAX_LENGTH = 200;

/** A field that filters the list next to it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const t = useTranslations('states');
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={MAX_LENGTH}
      maw={420}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={value && <CloseButton aria-label={t('clearSearch')} onClick={() => onChange('')} />}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
