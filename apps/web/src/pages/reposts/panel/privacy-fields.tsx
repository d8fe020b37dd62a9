import { NativeSelect, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { usePrivacyChoices } from '../../../queries/rules.ts';
import { Failure } from '../../../ui/failure.tsx';
import { useChoiceLabel } from '../../../ui/rich-text.tsx';
import { TitledSection } from '../../../ui/titled-section.tsx';
import { accountLabel } from '../account-label.ts';
import type { OptionsFormState } from './use-options-form.ts';

/** The audience of the reposts, for each destination that has such a setting; nothing if none has. */
export function PrivacyFields({ rule, form }: { rule: Rule; form: OptionsFormState }) {
  const t = useTranslations('reposts.privacy');
  const labelOf = useChoiceLabel();
  const { error, choices } = usePrivacyChoices(rule.to);
  if (choices.length === 0 && !error) return null;
  return (
    <TitledSection title={t('title')}>
      <Failure error={error} />
      {choices.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('hint')}
        </Text>
      )}
      {choices.map(({ account, choice }) => (
        <NativeSelect
          key={account.id}
          label={accountLabel(account)}
          data={[
            { value: '', label: t('ofAccount') },
            ...choice.values.map((each) => ({ value: each.value, label: labelOf(each) })),
          ]}
          value={form.values.privacy[account.id] ?? ''}
          onChange={({ currentTarget }) =>
            form.set({ privacy: { ...form.values.privacy, [account.id]: currentTarget.value } })
          }
          error={form.problem(`privacy.${account.id}`)}
          maw={420}
        />
      ))}
    </TitledSection>
  );
}
