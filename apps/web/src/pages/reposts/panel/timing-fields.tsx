import { Group, Switch, TextInput } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ClockChanges } from './clock-changes.tsx';
import { DurationField } from './duration-field.tsx';
import { NumberField } from './number-field.tsx';
import type { OptionsFormState } from './use-options-form.ts';
import { ZoneField } from './zone-field.tsx';

interface TimingFieldsProps {
  form: OptionsFormState;
  /** The limit in effect; the default one if `isDefault`. */
  foreignPerDay: number | null;
  isDefault: boolean;
}

/** Times and limits of a rule's reposts. */
export function TimingFields({ form, foreignPerDay, isDefault }: TimingFieldsProps) {
  const t = useTranslations('reposts.timing');
  const { values, set, problem } = form;
  const isOneZone = !values.isQuiet || values.quietZone === values.zone;
  return (
    <>
      <DurationField form={form} name="delayMinutes" label={t('delay')} description={t('delayHint')} />
      <DurationField form={form} name="jitterMinutes" label={t('jitter')} description={t('jitterHint')} />
      <Switch
        label={t('quiet')}
        description={t('quietHint')}
        checked={values.isQuiet}
        onChange={({ currentTarget }) => set({ isQuiet: currentTarget.checked })}
      />
      {values.isQuiet && (
        <>
          <Group align="flex-start">
            <TextInput
              type="time"
              label={t('quietFrom')}
              value={values.quietFrom}
              onChange={({ currentTarget }) => set({ quietFrom: currentTarget.value })}
              error={problem('quietHours.from')}
            />
            <TextInput
              type="time"
              label={t('quietTo')}
              value={values.quietTo}
              onChange={({ currentTarget }) => set({ quietTo: currentTarget.value })}
              error={problem('quietHours.to') ?? (problem('quietHours.from') ? null : problem('quietHours'))}
            />
          </Group>
          <ClockChanges times={[values.quietFrom, values.quietTo]} zone={values.quietZone} />
          {!isOneZone && (
            <ZoneField
              label={t('quietZone')}
              value={values.quietZone}
              error={problem('quietHours.zone')}
              onChange={(quietZone) => set({ quietZone })}
            />
          )}
        </>
      )}
      <NumberField
        form={form}
        name="maxPerDay"
        label={t('perDay')}
        description={
          isDefault && foreignPerDay !== null ? t('perDayHint', { foreign: foreignPerDay }) : t('perDayWait')
        }
      />
      <ZoneField
        label={t(isOneZone ? 'zone' : 'dayZone')}
        value={values.zone}
        error={problem('zone')}
        onChange={(zone) => set(isOneZone ? { zone, quietZone: zone } : { zone })}
      />
    </>
  );
}
