import { Anchor, PasswordInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useCaller } from './caller.tsx';
import type { Proof } from './operations.ts';

interface ProofFieldProps {
  proofs: readonly Proof[];
  proof: Proof | null;
  onProof(proof: Proof): void;
  /** Whether the API key was missing when the request was to be sent. */
  isMissing: boolean;
}

/** Who sends the request: the signed-in user, or the owner of an API key. */
export function ProofField({ proofs, proof, onProof, isMissing }: ProofFieldProps) {
  const t = useTranslations('reference');
  const { apiKey, setApiKey, user } = useCaller();
  return (
    <Stack gap="xs">
      {proofs.length > 1 && user !== null && (
        <SegmentedControl
          value={proof ?? ''}
          onChange={(value) => onProof(value as Proof)}
          data={proofs.map((value) => ({ value, label: t(value) }))}
          aria-label={t('authentication')}
          fullWidth
        />
      )}
      {proof === 'apiKey' && (
        <PasswordInput
          label={t('apiKey')}
          description={t('keyHint')}
          placeholder="rly_…"
          value={apiKey}
          onChange={({ currentTarget }) => setApiKey(currentTarget.value.trim())}
          error={isMissing && apiKey === '' && t('missing')}
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
          spellCheck={false}
          visibilityToggleButtonProps={{ 'aria-label': t('showKey') }}
          required
        />
      )}
      {proof === 'session' && user !== null && <Text size="sm">{t('signedInAs', { user })}</Text>}
      {proof === 'session' && user === null && (
        <Text size="sm">
          {t('signedOut')}{' '}
          <Anchor href="/app/sign-in" target="_blank" inherit underline="always">
            {t('signIn')}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}
