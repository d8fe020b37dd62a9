/** The end of the form of a new post. */
import { useFormatter, useTranslations } from 'use-intl';
import { type Draft, scheduledAt } from '../../drafts/draft.ts';
import { isRefused } from '../../queries/refused.ts';
import { timeProblem } from '../../time/schedule-limits.ts';
import { Failure } from '../../ui/failure.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { SubmitBar, type SubmitBarProps } from './submit-bar.tsx';

const Reused = lazyPart(async () => (await import('./reused.tsx')).Reused);

interface SubmitAreaProps extends Omit<SubmitBarProps, 'label' | 'failure'> {
  /** As in `Draft`. */
  at: Draft['at'];
  error: Error | null;
  /** Sends the draft as a separate post, with a new idempotency key. */
  onSubmitAnother(): void;
}

export function SubmitArea({ at: time, error, onSubmitAnother, ...bar }: SubmitAreaProps) {
  const t = useTranslations('compose');
  const format = useFormatter();
  const at = scheduledAt({ at: time });
  const scheduled = () =>
    at === null || timeProblem(at, Date.now())
      ? t('scheduleLater')
      : t('schedule', { at: format.dateTime(at, { dateStyle: 'medium', timeStyle: 'short' }) });
  const label = time === null ? t('post', { count: bar.chosen.length }) : scheduled();
  const isReused = isRefused(error, 'idempotency_key_reused');
  return (
    <SubmitBar
      {...bar}
      label={label}
      failure={isReused ? <Reused onSubmitAnother={onSubmitAnother} /> : <Failure error={error} />}
    />
  );
}
