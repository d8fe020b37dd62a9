/** Sets up an authenticator app: a QR code, a first code as proof, and then the backup codes. */
import { Box, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { encode } from 'uqr';
import { useTranslations } from 'use-intl';
import { useConfirmSecondFactor } from '../../queries/user.ts';
import { Failure } from '../../ui/failure.tsx';
import { BackupCodes } from './backup-codes.tsx';

/** Shows the backup codes only after a code was verified, because the second factor is off until then. */
export function EnrollApp({ begun, onDone }: { begun: { uri: string; backupCodes: string[] }; onDone(): void }) {
  const t = useTranslations('settings');
  const [code, setCode] = useState('');
  const confirm = useConfirmSecondFactor();
  if (confirm.isSuccess) return <BackupCodes title={t('factorDone')} codes={begun.backupCodes} onDone={onDone} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(code.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack align="flex-start">
        <Text>{t('scan')}</Text>
        <QrCode text={begun.uri} label={t('qrCode')} />
        <Text size="sm">{t('secret')}</Text>
        <Code data-testid="secret" style={{ overflowWrap: 'anywhere' }}>
          {groupsOf(new URL(begun.uri).searchParams.get('secret') ?? '').map((group, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two groups can be equal, and none moves
            <span key={at} style={{ display: 'inline-block', marginInlineEnd: '0.6em' }}>
              {group}
            </span>
          ))}
        </Code>
        <TextInput
          label={t('code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <Failure error={confirm.error} texts={{ invalid_code: t('codeWrong') }} />
        <Group>
          <Button type="submit" loading={confirm.isPending}>
            {t('factorConfirm')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Groups of four characters, which are easier to type. They are copied without gaps. */
const groupsOf = (secret: string): string[] => secret.match(/.{1,4}/g) ?? [];

/** Dark on white in every color scheme, because scanners expect that. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <Box component="svg" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} w={200} h={200} bg="white">
      <path d={path} fill="black" />
    </Box>
  );
}
