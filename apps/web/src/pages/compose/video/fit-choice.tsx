import { Radio, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { type Draft, FITS } from '../../../drafts/draft.ts';

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
      onChange={(value) => onChange(FITS.find((each) => each === value) ?? null)}
    >
      <Stack gap="xs">
        {FITS.map((each) => (
          <Radio
            key={each}
            value={each}
            styles={DESCRIPTION}
            label={t(`fitTo.${each}.label`)}
            description={t(`fitTo.${each}.hint`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
