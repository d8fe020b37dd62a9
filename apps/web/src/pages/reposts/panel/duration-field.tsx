/** A duration of the options: a number and its unit. */
import { Group, NativeSelect, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { OptionsFormState } from './use-options-form.ts';

/** In minutes, the largest first. */
const UNITS = { days: 1_440, hours: 60, minutes: 1 } as const;
type Unit = keyof typeof UNITS;
const NAMES = Object.keys(UNITS) as Unit[];

/** The largest unit in which a duration in minutes is a whole number. */
const largestUnit = (minutes: number): Unit =>
  NAMES.find((unit) => minutes > 0 && minutes % UNITS[unit] === 0) ?? 'minutes';

interface DurationFieldProps {
  form: OptionsFormState;
  name: 'delayMinutes' | 'jitterMinutes';
  label: string;
  description: string;
}

/** Empty means the default. The service checks the range. */
export function DurationField({ form, name, label, description }: DurationFieldProps) {
  const t = useTranslations('reposts.timing');
  const minutes = form.values[name];
  const [chosen, setChosen] = useState(() => largestUnit(minutes || 0));
  // A reset may bring a value that is no whole number of the chosen unit.
  const unit = (minutes || 0) % UNITS[chosen] === 0 ? chosen : largestUnit(minutes || 0);
  const shown = minutes === '' ? '' : minutes / UNITS[unit];
  const set = (value: number | '', next: Unit) => form.set({ [name]: value === '' ? '' : value * UNITS[next] });
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap" maw={320}>
      <NumberInput
        label={label}
        description={description}
        value={shown}
        onChange={(value) => set(typeof value === 'number' ? value : '', unit)}
        error={form.problem(name)}
        min={0}
        allowNegative={false}
        allowDecimal={false}
        flex={1}
        inputWrapperOrder={['label', 'description', 'error', 'input']}
      />
      <NativeSelect
        aria-label={t('unitOf', { name: label })}
        data={NAMES.toReversed().map((each) => ({ value: each, label: t(`unit.${each}`) }))}
        value={unit}
        onChange={({ currentTarget }) => {
          const next = currentTarget.value as Unit;
          setChosen(next);
          set(shown, next);
        }}
        w={120}
      />
    </Group>
  );
}
