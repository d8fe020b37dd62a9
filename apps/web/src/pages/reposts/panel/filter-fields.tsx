import { TagsInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { NumberField } from './number-field.tsx';
import type { OptionsFormState } from './use-options-form.ts';

export function FilterFields({ form }: { form: OptionsFormState }) {
  const t = useTranslations('reposts.filters');
  return (
    <>
      {(['contains', 'excludes', 'hashtags'] as const).map((name) => (
        <TagsInput
          key={name}
          label={t(name)}
          description={t('wordsHint')}
          value={form.values[name]}
          onChange={(words) => form.set({ [name]: words })}
          error={form.problem(`filters.${name}`)}
          splitChars={[',']}
          acceptValueOnBlur
        />
      ))}
      <NumberField
        form={form}
        name="minSeconds"
        path="filters.minSeconds"
        label={t('minSeconds')}
        suffix={t('seconds')}
      />
      <NumberField
        form={form}
        name="maxSeconds"
        path="filters.maxSeconds"
        label={t('maxSeconds')}
        suffix={t('seconds')}
      />
    </>
  );
}
