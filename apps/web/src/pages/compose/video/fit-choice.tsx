import { Radio, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Draft } from '../../../drafts/draft.ts';

interface FitChoiceProps {
  fit: Draft['fit'];
  onChange(fit: Draft['fit']): void;
}

/** Gray has too little contrast on a colored notice. */
const DESCRIPTION = { description: { color: 'inherit' } };

/** How a video that is not 9:16 is converted. */
export function FitChoice({ fit, onChange }: FitChoiceProps) {
  const t = useTranslations('composeVideo');
  return (
    <Radio.Group
      aria-label={t('fit')}
      value={fit ?? ''}
      onChange={(value) => onChange(value === 'crop' ? 'crop' : 'pad')}
    >
      <Stack gap="xs">
        <Radio value="pad" styles={DESCRIPTION} label={t('fitPad')} description={t('fitPadHint')} />
        <Radio value="crop" styles={DESCRIPTION} label={t('fitCrop')} description={t('fitCropHint')} />
      </Stack>
    </Radio.Group>
  );
}
