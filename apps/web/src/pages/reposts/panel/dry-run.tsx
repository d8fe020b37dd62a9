/** A dry run of the rule with the last known posts of its source. */
import { Alert, Badge, Loader, Stack, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useFormatter, useTranslations } from 'use-intl';
import { Failure } from '../../../ui/failure.tsx';
import { sourceWarnings } from '../source-notice.tsx';
import classes from './panel.module.css';
import type { OptionsFormState } from './use-options-form.ts';

const COLORS = { repost: 'green', wait: 'yellow', skip: 'gray' } as const;

export function DryRun({ rule, form }: { rule: Rule; form: OptionsFormState }) {
  const t = useTranslations('reposts.dryRun');
  const tRule = useTranslations('reposts');
  const format = useFormatter();
  const { result, isPending, error } = form.preview;
  const known = new Set(sourceWarnings(rule));
  return (
    <Stack>
      <Text size="sm">
        {t('lead')} {form.isDirty && t('unsaved')}
      </Text>
      <Failure error={error} />
      {isPending && !error && <Loader aria-label={tRule('preview')} />}
      {result?.warnings
        .filter(({ text }) => !known.has(text))
        .map(({ code, text }) => (
          <Alert key={`${code} ${text}`} color="orange">
            {text}
          </Alert>
        ))}
      {result?.items.length === 0 && <Text>{t('empty')}</Text>}
      <Stack component="ul" gap="lg" p={0} m={0} style={{ listStyle: 'none' }}>
        {result?.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no id, and the list is replaced as a whole
          <Stack key={index} component="li" gap={4}>
            <Text component="div" size="sm" c="dimmed">
              <Badge color={COLORS[item.status]} variant="light" mr="xs">
                {t(`status.${item.status}`)}
              </Badge>
              {item.publishedAt &&
                format.dateTime(new Date(item.publishedAt), { dateStyle: 'medium', timeStyle: 'short' })}
            </Text>
            <Text fw={500} lineClamp={2} dir="auto" translate="no">
              {item.caption || tRule('noCaption')}
            </Text>
            <Text size="sm">{item.text}</Text>
            {item.repostCaption !== undefined && item.repostCaption !== item.caption && (
              <>
                <Text size="sm" c="dimmed">
                  {t('caption')}
                </Text>
                <Text size="sm" className={classes.text} lineClamp={6} dir="auto" translate="no">
                  {item.repostCaption}
                </Text>
              </>
            )}
          </Stack>
        ))}
      </Stack>
    </Stack>
  );
}
