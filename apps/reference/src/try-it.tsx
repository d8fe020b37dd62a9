/** A form that sends the operation's request for real. Loaded with the first operation that is opened. */
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconPlayerStop, IconSend } from '@reelay/web/ui/icons/index.ts';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApi } from './api-context.tsx';
import { useCaller } from './caller.tsx';
import { ConfirmSend } from './confirm-send.tsx';
import { Examples } from './examples.tsx';
import { type Operation, type Proof, warningOf } from './operations.ts';
import { ProofField } from './proof-field.tsx';
import { firstDraft, planOf, problemsIn } from './request.ts';
import { ResultView } from './result-view.tsx';
import { TryFields } from './try-fields.tsx';
import { useSend } from './use-send.ts';

export default function TryIt({ operation }: { operation: Operation }) {
  const t = useTranslations('reference');
  const { document } = useApi();
  const { apiKey, user, isUnknown, checkSession } = useCaller();
  const [draft, setDraft] = useState(() => firstDraft(document, operation));
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<Proof | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const sending = useSend();
  useEffect(() => {
    const check = () => void checkSession();
    check();
    // The reader may have signed in in another tab.
    window.addEventListener('focus', check);
    return () => window.removeEventListener('focus', check);
  }, [checkSession]);

  const { proofs } = operation;
  const fallback = proofs.includes('apiKey') && (apiKey !== '' || user === null) ? 'apiKey' : proofs.at(-1);
  const proof = (chosen ?? fallback) || null;
  // Otherwise a signed-in reader could be asked for a key.
  const isWaiting = isUnknown && apiKey === '' && proofs.length > 0;
  const plan = planOf(document, operation, draft, proof);
  const warning = warningOf(operation);
  const send = async () => {
    setIsAsking(false);
    await sending.send(plan, proof === 'apiKey' ? apiKey : null);
    // The request may have signed in or out.
    await checkSession();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsIn(document, operation, draft);
    if (proof === 'apiKey' && apiKey === '') found.push('apiKey');
    setProblems(found);
    if (found.length > 0) return;
    if (warning) setIsAsking(true);
    else void send();
  };
  return (
    <Stack gap="lg">
      <Paper withBorder p="md" component="section" aria-labelledby="try-it">
        <form onSubmit={submit} noValidate autoComplete="off">
          <Stack gap="sm">
            <Title order={2} size="h4" id="try-it">
              {t('try')}
            </Title>
            {proofs.length > 0 && (
              <ProofField proofs={proofs} proof={proof} onProof={setChosen} isMissing={problems.includes('apiKey')} />
            )}
            <TryFields operation={operation} draft={draft} problems={problems} onChange={setDraft} />
            <Group gap="xs">
              <Button
                type="submit"
                leftSection={<IconSend size={16} aria-hidden />}
                loading={sending.isPending || isWaiting}
              >
                {t('send')}
              </Button>
              {sending.isPending && (
                <Button variant="default" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={sending.stop}>
                  {t('stop')}
                </Button>
              )}
            </Group>
            {problems.length > 0 && (
              <Text size="sm" c="var(--mantine-color-error)" role="alert">
                {t('problems', { count: problems.length })}
              </Text>
            )}
          </Stack>
        </form>
        <ResultView result={sending.result} error={sending.error} operation={operation} />
      </Paper>
      <Examples operation={operation} draft={draft} plan={plan} />
      {isAsking && warning && (
        <ConfirmSend operation={operation} warning={warning} onSend={send} onClose={() => setIsAsking(false)} />
      )}
    </Stack>
  );
}
