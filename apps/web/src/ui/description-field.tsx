import { Textarea } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { descriptionLength, isTooLong, MAX_DESCRIPTION } from '../drafts/draft.ts';

interface DescriptionFieldProps {
  value: string;
  onChange(value: string): void;
  minRows: number;
  maxRows: number;
  /** Whether an opening dialog focuses this field. */
  hasFocus?: boolean;
}

/** The text field of a post. It shows an error if the text is too long for the service. */
export function DescriptionField({ value, onChange, minRows, maxRows, hasFocus = false }: DescriptionFieldProps) {
  const t = useTranslations('compose');
  return (
    <Textarea
      label={t('description')}
      autosize
      minRows={minRows}
      maxRows={maxRows}
      dir="auto"
      translate="no"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={isTooLong(value) && t('descriptionTooLong', { count: descriptionLength(value), max: MAX_DESCRIPTION })}
      data-autofocus={hasFocus || undefined}
    />
  );
}
