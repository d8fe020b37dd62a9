import { Progress, Stack, Text, Title } from '@mantine/core';
import type { Account } from '@reelay/sdk';
import { useFormatter, useTranslations } from 'use-intl';

/** How many posts the platform still accepts today. */
export function PostsLeft({ left: { limit, left, freeAt } }: { left: NonNullable<Account['postsLeft']> }) {
  const t = useTranslations('accounts');
  const format = useFormatter();
  const used = Math.max(0, limit - left);
  return (
    <Stack gap="xs" component="section" aria-labelledby="posts-left">
      <Title order={3} size="h5" id="posts-left">
        {t('daily.title')}
      </Title>
      <Progress.Root size="lg">
        <Progress.Section
          value={limit > 0 ? (used / limit) * 100 : 100}
          color={left === 0 ? 'red' : undefined}
          // Mantine's default ARIA attributes would announce a percentage instead of the text.
          withAria={false}
          role="progressbar"
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={used}
          aria-label={t('daily.title')}
          aria-valuetext={t('daily.used', { used, limit })}
        />
      </Progress.Root>
      <Text>{t('daily.left', { left, limit })}</Text>
      <Text size="sm" c="dimmed">
        {freeAt
          ? t('daily.freeAt', {
              at: format.dateTime(new Date(freeAt), { dateStyle: 'medium', timeStyle: 'short' }),
            })
          : t('daily.hint')}
      </Text>
    </Stack>
  );
}
