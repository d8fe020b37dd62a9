/** All options of a rule. The service's errors are shown at their fields. */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { Failure } from '../../../ui/failure.tsx';
import { TitledSection } from '../../../ui/titled-section.tsx';
import { CaptionFields } from './caption-fields.tsx';
import { FilterFields } from './filter-fields.tsx';
import { FitField } from './fit-field.tsx';
import classes from './panel.module.css';
import { PrivacyFields } from './privacy-fields.tsx';
import { TimingFields } from './timing-fields.tsx';
import type { OptionsFormState } from './use-options-form.ts';

export function OptionsTab({ rule, form }: { rule: Rule; form: OptionsFormState }) {
  const t = useTranslations('reposts');
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        form.save();
      }}
    >
      <Stack gap="xl">
        <TitledSection title={t('timing.title')}>
          <TimingFields
            foreignPerDay={rule.dailyLimits.foreign}
            isDefault={rule.options.maxPerDay === null}
            form={form}
          />
        </TitledSection>
        <TitledSection title={t('caption.title')}>
          <CaptionFields rule={rule} form={form} />
        </TitledSection>
        <PrivacyFields rule={rule} form={form} />
        <TitledSection title={t('filters.title')}>
          <FilterFields form={form} />
        </TitledSection>
        <TitledSection title={t('fit.title')}>
          <FitField form={form} />
        </TitledSection>
        <Stack gap="xs" className={classes.footer}>
          <Failure error={form.error} />
          <Group>
            <Button type="submit" loading={form.isSaving} disabled={!form.isDirty}>
              {t('save')}
            </Button>
            {form.isDirty && (
              <Button variant="default" onClick={form.reset}>
                {t('discard')}
              </Button>
            )}
            <Text role="status" size="sm">
              {form.isSaved && t('saved')}
            </Text>
          </Group>
        </Stack>
      </Stack>
    </form>
  );
}
