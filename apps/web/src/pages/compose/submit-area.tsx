/** The declarations and the post button, which stays on the screen. */
import { Anchor, Box, Button, Group, Stack, Text } from '@mantine/core';
import { ReelayApiError } from '@reelay/sdk';
import { useFormatter, useTranslations } from 'use-intl';
import { type Draft, type DraftProblem, scheduledAt } from '../../drafts/draft.ts';
import { Failure } from '../../ui/failure.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useFormText } from '../../ui/rich-text.tsx';
import { type ChosenAccount, optionsProblem, QUESTIONS_ID } from './options/chosen-accounts.ts';
import { useProblemText } from './options/problem-text.ts';
import classes from './submit-area.module.css';
import type { VideoState } from './video/use-video.ts';

const Reused = lazyPart(async () => (await import('./reused.tsx')).Reused);
const Declarations = lazyPart(async () => (await import('./options/declarations.tsx')).Declarations);

interface SubmitAreaProps {
  chosen: readonly ChosenAccount[];
  /** As in `Draft`. */
  at: Draft['at'];
  problem: DraftProblem | VideoState['blocker'] | 'uploading';
  isSending: boolean;
  error: Error | null;
  onSubmit(): void;
  /** Sends the draft as a separate post, with a new idempotency key. */
  onSubmitAnother(): void;
  onOptions(id: string): void;
}

export function SubmitArea(props: SubmitAreaProps) {
  const { chosen, isSending, error, onSubmit } = props;
  const t = useTranslations('compose');
  const format = useFormatter();
  const problem = useProblem(props);
  const at = scheduledAt(props);
  const isReused = error instanceof ReelayApiError && error.code === 'idempotency_key_reused';
  return (
    <>
      {chosen.length > 0 && <Declarations chosen={chosen} />}
      <Stack className={classes.bar}>
        {isReused ? <Reused onSubmitAnother={props.onSubmitAnother} /> : <Failure error={error} />}
        <Group>
          {/* A disabled button shows no title. */}
          <Box component="span" display="inline-block" maw="100%" title={problem?.text}>
            <Button size="md" maw="100%" onClick={onSubmit} disabled={problem !== null} loading={isSending}>
              {at === null
                ? t('post', { count: chosen.length })
                : t('schedule', { at: format.dateTime(at, { dateStyle: 'medium', timeStyle: 'short' }) })}
            </Button>
          </Box>
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

interface ShownProblem {
  text: string;
  /** A link to the part of the page that solves the problem. */
  onPress?(): void;
}

function useProblem({ chosen, problem, onOptions }: SubmitAreaProps): ShownProblem | null {
  const t = useTranslations('compose');
  const tOptions = useTranslations('postOptions');
  const problemText = useProblemText();
  const textOf = useFormText();
  if (problem) return { text: t(`problem.${problem}`) };
  const wrong = optionsProblem(chosen);
  if (wrong?.kind === 'unanswered')
    return {
      text: tOptions('toAnswer', { count: wrong.count }),
      onPress: () => document.getElementById(QUESTIONS_ID)?.focus(),
    };
  if (wrong?.kind === 'loading') return { text: tOptions('loading') };
  if (wrong?.kind !== 'invalid' || !wrong.state.problem) return null;
  const { account, state } = wrong;
  const place = `${account.displayName || account.username}, ${textOf(state.field.label)}`;
  return {
    text: `${place}: ${problemText(wrong.state.problem)}`,
    onPress: () => onOptions(account.id),
  };
}
