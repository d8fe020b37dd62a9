import { Group, Radio } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { OptionsForm } from './options-form.ts';
import type { OptionsFormState } from './use-options-form.ts';

/** How the rule converts videos that are not 9:16. */
export function FitField({ form }: { form: OptionsFormState }) {
  const t = useTranslations('reposts.fit');
  return (
    <Radio.Group
      aria-label={t('title')}
      description={t('hint')}
      value={form.values.fit || 'skip'}
      onChange={(value) => form.set({ fit: value === 'skip' ? '' : (value as OptionsForm['fit']) })}
      error={form.problem('fit')}
    >
      <Group mt="xs">
        {(['skip', 'pad', 'blur', 'crop'] as const).map((value) => (
          <Radio key={value} value={value} label={t(value)} />
        ))}
      </Group>
    </Radio.Group>
  );
}
