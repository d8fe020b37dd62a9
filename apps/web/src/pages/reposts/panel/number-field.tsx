import { NumberInput } from '@mantine/core';
import type { OptionsFormState } from './use-options-form.ts';

type NumberName = 'maxPerDay' | 'minSeconds' | 'maxSeconds';

interface NumberFieldProps {
  form: OptionsFormState;
  name: NumberName;
  /** Path of the field in the service's errors. */
  path?: string;
  label: string;
  description?: string;
  suffix?: string;
}

/** A number field of the options. Empty means the default. The service checks the range. */
export function NumberField({ form, name, path = name, label, description, suffix = '' }: NumberFieldProps) {
  return (
    <NumberInput
      label={label}
      {...(description ? { description } : {})}
      value={form.values[name]}
      onChange={(value) => form.set({ [name]: typeof value === 'number' ? value : '' })}
      error={form.problem(path)}
      {...(suffix === '' ? {} : { suffix: ` ${suffix}` })}
      min={0}
      allowNegative={false}
      maw={320}
    />
  );
}
