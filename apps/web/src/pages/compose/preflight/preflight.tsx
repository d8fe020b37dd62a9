/** The expected result on each account, with fixes for problems. */
import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core';
import type { PostCheck } from '@reelay/sdk';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { type Draft, FITS, isAdjusted } from '../../../drafts/draft.ts';
import { isRefused } from '../../../queries/refused.ts';
import { Failure } from '../../../ui/failure.tsx';
import { IconCircleCheck } from '../../../ui/icons/index.ts';
import { PlatformIcon, platformName } from '../../../ui/platform-icon.tsx';
import { optionsProblem, unansweredIn } from '../options/chosen-accounts.ts';
import type { CaptionCounts } from '../options/use-caption-counts.ts';
import type { OptionsState } from '../options/use-options.ts';
import { isTrimmed } from '../video/part.ts';
import { Conversions } from './conversions.tsx';
import { type Repair, repairsOf, separateConversions, type Verdict, worstFirst } from './repairs.ts';
import { useShorten } from './use-shorten.ts';
import { verdictName } from './verdict-name.ts';

interface PreflightProps {
  check: PostCheck | undefined;
  error: Error | null;
  draft: Draft;
  counts: CaptionCounts;
  options: OptionsState;
  onChange(fields: Partial<Draft>): void;
  onOptions(id: string): void;
}

export function Preflight(props: PreflightProps) {
  const { check, error, draft, onChange } = props;
  const t = useTranslations('preflight');
  if (isAdjusted(draft)) return <Adjusted draft={draft} onChange={onChange} />;
  if (isRefused(error, 'video_not_vertical'))
    return (
      <Alert color="red" title={t('notVertical')} role="alert">
        <Stack gap="xs">
          <Text size="sm">{t('notVerticalHint')}</Text>
          <Group gap="xs">
            {FITS.map((fit) => (
              <Button key={fit} size="compact-md" variant="default" onClick={() => onChange({ fit })}>
                {t(`fitTo.${fit}`)}
              </Button>
            ))}
          </Group>
        </Stack>
      </Alert>
    );
  if (error) return <Failure error={error} />;
  if (!check) return null;
  const { chosen } = props.options;
  const asking = new Set(chosen.filter((each) => unansweredIn(each) > 0).map(({ account }) => account.id));
  const { others, converted } = separateConversions(check.result);
  const said = worstFirst(others, asking);
  const isBad = said.some(({ outcome }) => outcome === 'fails' || outcome === 'refused');
  return (
    <Stack gap="xs">
      {said.length === 0 && check.reasons.length === 0 && optionsProblem(chosen) === null && (
        <Group gap="xs" wrap="nowrap" role="status">
          <IconCircleCheck size={18} aria-hidden color="var(--mantine-color-teal-7)" />
          <Text size="sm">{t('fits', { count: check.result.length })}</Text>
        </Group>
      )}
      {said.length + check.reasons.length > 0 && (
        <Alert color={isBad ? 'red' : 'blue'} title={t('title')}>
          <Stack gap="sm">
            {check.reasons.map(({ code, message }) => (
              <Text key={code} size="sm">
                {message}
              </Text>
            ))}
            {said.map((verdict) => (
              <Account key={verdict.platformId} verdict={verdict} {...props} />
            ))}
          </Stack>
        </Alert>
      )}
      {converted.length > 0 && <Conversions converted={converted} chosen={chosen} />}
    </Stack>
  );
}

/** The service makes another video, so its checks for the accounts are not known before. */
function Adjusted({ draft, onChange }: Pick<PreflightProps, 'draft' | 'onChange'>) {
  const t = useTranslations('preflight');
  const { fit } = draft;
  return (
    <Stack gap={4} role="status">
      {fit && (
        <Group gap="xs">
          <Text size="sm">{t(`fitted.${fit}`)}</Text>
          <Button size="compact-sm" variant="subtle" onClick={() => onChange({ fit: null })}>
            {t('undo')}
          </Button>
        </Group>
      )}
      {isTrimmed(draft) && <Text size="sm">{t('trimmed')}</Text>}
    </Stack>
  );
}

function Account({ verdict, counts, ...props }: PreflightProps & { verdict: Verdict }) {
  const t = useTranslations('preflight');
  const { platformId: id, platform, outcome, reasons } = verdict;
  const shorten = useShorten(props.options.setCaption);
  const texts = reasons.map(({ code, message }) =>
    code === 'caption_too_long' ? (counts.byAccount.get(id)?.problem ?? message) : message,
  );
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Box flex="none" lh={0} pt={2}>
        <PlatformIcon platform={platform} size={18} />
      </Box>
      <Stack gap={4} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm">
          <Text span inherit fw={600}>
            <span translate="no">
              {platformName(platform)} ({verdictName(verdict, props.options.chosen)})
            </span>
            , {t(`outcome.${outcome}`)}:{' '}
          </Text>
          {texts.join(' ')}
        </Text>
        <Group gap="xs">
          {repairsOf(verdict).map((repair) => (
            <RepairButton key={repair} repair={repair} id={id} shorten={shorten} {...props} />
          ))}
        </Group>
        <Failure error={shorten.error} />
      </Stack>
    </Group>
  );
}

interface RepairButtonProps extends Omit<PreflightProps, 'counts'> {
  repair: Repair;
  /** Id of the account. */
  id: string;
  shorten: ReturnType<typeof useShorten>;
}

function RepairButton({ repair, id, shorten, draft, options, onChange, onOptions }: RepairButtonProps) {
  const t = useTranslations('preflight');
  const button = { size: 'compact-sm', variant: 'default' } as const;
  if (repair === 'reconnect')
    return (
      <Button {...button} component={Link} to="/accounts">
        {t('repair.reconnect')}
      </Button>
    );
  if (repair === 'deselect')
    return (
      <Button {...button} onClick={() => onChange({ accounts: draft.accounts.filter((each) => each !== id) })}>
        {t('repair.deselect')}
      </Button>
    );
  if (repair === 'options')
    return (
      <Button {...button} onClick={() => onOptions(id)}>
        {t('repair.options')}
      </Button>
    );
  const each = options.chosen.find(({ account }) => account.id === id);
  return (
    each && (
      <Button
        {...button}
        loading={shorten.isPending}
        onClick={() => shorten.mutate({ each, description: draft.description })}
      >
        {t('repair.shorten')}
      </Button>
    )
  );
}
