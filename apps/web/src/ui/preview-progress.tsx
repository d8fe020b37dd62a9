/** Progress of the small version that is made of a video. */
import { Progress, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';

/** @param done from 0 to 1 */
export function PreviewProgress({ done }: { done: number }) {
  const t = useTranslations('composeVideo');
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {t('makingPreview')}
      </Text>
      <Progress value={done * 100} aria-label={t('previewProgress')} transitionDuration={200} animated={done === 0} />
    </Stack>
  );
}
