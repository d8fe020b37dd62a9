/** The problems of the chosen video, with advice. */
import { Alert, Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import type { Draft } from '../../../drafts/draft.ts';
import { IconAlertCircle, IconInfoCircle } from '../../../ui/icons/index.ts';
import { FitChoice } from './fit-choice.tsx';
import { isFinal, type VideoFacts, type VideoProblem } from './video-check.ts';

interface VideoChecksProps {
  facts: VideoFacts | null | undefined;
  problems: readonly VideoProblem[];
  fit: Draft['fit'];
  onFit(fit: Draft['fit']): void;
}

export function VideoChecks({ facts, problems, fit, onFit }: VideoChecksProps) {
  const t = useTranslations('composeVideo');
  const format = useFormatter();
  const values = {
    // Two digits: a refused length of 90.06 must not appear as 90.1.
    seconds: format.number(facts?.seconds ?? 0, { maximumFractionDigits: 2 }),
    width: facts?.width ?? 0,
    height: facts?.height ?? 0,
  };
  return problems.map((problem) => (
    <Alert
      key={problem}
      color={isFinal(problem) ? 'red' : 'blue'}
      icon={isFinal(problem) ? <IconAlertCircle aria-hidden /> : <IconInfoCircle aria-hidden />}
      role={isFinal(problem) ? 'alert' : 'status'}
    >
      <Stack gap="xs">
        <Text size="sm">
          {t(`problem.${problem === 'notVertical' && facts?.isPreview ? 'notUpright' : problem}`, values)}
        </Text>
        {problem === 'notVertical' && <FitChoice fit={fit} onChange={onFit} />}
      </Stack>
    </Alert>
  ));
}
