import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { GrowingTextarea } from '../../../ui/growing-textarea.tsx';
import { CaptionPreview } from './caption-preview.tsx';
import type { OptionsFormState } from './use-options-form.ts';

const PLACEHOLDERS = ['{caption}', '{hashtags}', '{source}', '{url}'] as const;

/** Fields that change the caption, with a preview for each account. */
export function CaptionFields({ rule, form }: { rule: Rule; form: OptionsFormState }) {
  const t = useTranslations('reposts.caption');
  const { values, set, problem } = form;
  const [caption, hashtags, source, url] = PLACEHOLDERS;
  return (
    <>
      <GrowingTextarea
        label={t('template')}
        description={t('templateHint', { caption, hashtags, source, url })}
        value={values.template}
        onChange={({ currentTarget }) => set({ template: currentTarget.value })}
        error={problem('caption.template')}
        minRows={2}
        dir="auto"
        translate="no"
      />
      <Group gap="xs">
        {PLACEHOLDERS.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            radius="xl"
            variant="default"
            fw={400}
            aria-label={t('insert', { name })}
            onClick={() => set({ template: values.template + name })}
          >
            {name}
          </Button>
        ))}
      </Group>
      <Checkbox
        label={t('removeMentions')}
        checked={values.removeMentions}
        onChange={({ currentTarget }) => set({ removeMentions: currentTarget.checked })}
      />
      <Checkbox
        label={t('removeHashtags')}
        checked={values.removeHashtags}
        onChange={({ currentTarget }) => set({ removeHashtags: currentTarget.checked })}
      />
      <TextInput
        label={t('append')}
        description={t('appendHint')}
        value={values.append}
        onChange={({ currentTarget }) => set({ append: currentTarget.value })}
        error={problem('caption.append')}
        dir="auto"
        translate="no"
      />
      <GrowingTextarea
        label={t('sample')}
        description={t('sampleHint')}
        value={form.sample}
        onChange={({ currentTarget }) => form.setSample(currentTarget.value)}
        minRows={1}
        dir="auto"
        translate="no"
      />
      <CaptionPreview rule={rule} form={form} />
    </>
  );
}
