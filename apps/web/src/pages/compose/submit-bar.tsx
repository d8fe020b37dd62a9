/** The declarations and the button that sends a form, which stays on the screen. */
import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DraftProblem } from '../../drafts/draft.ts';
import { isTimeProblem } from '../../time/schedule-limits.ts';
import { accountName } from '../../ui/account-name.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useFormText } from '../../ui/rich-text.tsx';
import { type ChosenAccount, optionsProblem, QUESTIONS_ID } from './options/chosen-accounts.ts';
import { useProblemText } from './options/problem-text.ts';
import classes from './submit-bar.module.css';
import type { VideoState } from './video/use-video.ts';

const Declarations = lazyPart(async () => (await import('./options/declarations.tsx')).Declarations);

export interface SubmitBarProps {
  /** The accounts whose options are sent. */
  chosen: readonly ChosenAccount[];
  problem: DraftProblem | VideoState['blocker'] | 'uploading';
  label: string;
  isSending: boolean;
  /** Whether the service makes another video before it responds. */
  isConverting: boolean;
  /** Why the last attempt failed. */
  failure: ReactNode;
  /** More buttons. */
  children?: ReactNode;
  onSubmit(): void;
  /** Opens the options of an account. */
  onOptions(id: string): void;
}

export function SubmitBar(props: SubmitBarProps) {
  const t = useTranslations('compose');
  const { chosen, label, isSending, isConverting, failure, children, onSubmit } = props;
  const problem = useProblem(props);
  return (
    <>
      {chosen.length > 0 && <Declarations chosen={chosen} />}
      <Stack className={classes.bar} ref={announceHeight}>
        {failure}
        <Group>
          {/* A disabled button shows no title. */}
          <Box component="span" display="inline-block" maw="100%" title={problem?.text}>
            <Button size="md" maw="100%" onClick={onSubmit} disabled={problem !== null} loading={isSending}>
              {label}
            </Button>
          </Box>
          {children}
          {isSending && isConverting && (
            <Text size="sm" maw={480} role="status">
              {t('converting')}
            </Text>
          )}
          {problem && (
            <Text size="sm" c={problem.onPress ? undefined : 'dimmed'} maw={480}>
              {problem.onPress ? (
                <Anchor component="button" type="button" size="sm" ta="start" onClick={problem.onPress}>
                  {problem.text}
                </Anchor>
              ) : (
                problem.text
              )}
            </Text>
          )}
        </Group>
      </Stack>
    </>
  );
}

/** States the height of the bar for what floats above it: see `live-notice.module.css`. */
function announceHeight(bar: HTMLElement | null) {
  if (!bar) return;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--submit-bar-height', `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty('--submit-bar-height');
  };
}

interface ShownProblem {
  text: string;
  /** A link to the part of the page that solves the problem. */
  onPress?(): void;
}

function useProblem({
  chosen,
  problem,
  onOptions,
}: Pick<SubmitBarProps, 'chosen' | 'problem' | 'onOptions'>): ShownProblem | null {
  const t = useTranslations('compose');
  const tTime = useTranslations('dateTime');
  const tOptions = useTranslations('postOptions');
  const problemText = useProblemText();
  const textOf = useFormText();
  if (problem) return { text: isTimeProblem(problem) ? tTime(`problem.${problem}`) : t(`problem.${problem}`) };
  const wrong = optionsProblem(chosen);
  if (wrong?.kind === 'unanswered')
    return {
      text: tOptions('toAnswer', { count: wrong.count }),
      onPress: () => document.getElementById(QUESTIONS_ID)?.focus(),
    };
  if (wrong?.kind === 'loading') return { text: tOptions('loading') };
  if (wrong?.kind !== 'invalid' || !wrong.state.problem) return null;
  const { account, state } = wrong;
  const place = `${accountName(account)}, ${textOf(state.field.label)}`;
  return {
    text: `${place}: ${problemText(wrong.state.problem)}`,
    onPress: () => onOptions(account.id),
  };
}
