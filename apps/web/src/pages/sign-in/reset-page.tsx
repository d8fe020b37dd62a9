/** Replacing a forgotten password: requests a link by mail, or sets the new password if the link was opened. */
import { Alert, Anchor, Button, PasswordInput, Text, TextInput } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRequestReset, useResetPassword } from '../../service/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { SignInCard } from './sign-in-card.tsx';

export function ResetPage() {
  const hash = useLocation({ select: ({ hash }) => hash });
  const [token, setToken] = useState(hash);
  // A second link may be opened here. When the user leaves, the address has no token any more.
  if (hash && hash !== token) setToken(hash);
  return token ? <NewPassword token={token} /> : <RequestLink />;
}

function RequestLink() {
  const t = useTranslations('signIn');
  const [email, setEmail] = useState('');
  const request = useRequestReset();
  return (
    <SignInCard title={t('resetTitle')} onSubmit={() => request.mutateAsync(email)}>
      {request.isSuccess ? (
        <Alert color="green" role="status">
          {t('resetSent', { email })}
        </Alert>
      ) : (
        <>
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="email"
            required
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <Failure error={request.error} />
          <Button type="submit" loading={request.isPending}>
            {t('resetSend')}
          </Button>
        </>
      )}
      <Anchor component={Link} to="/sign-in">
        {t('signIn')}
      </Anchor>
    </SignInCard>
  );
}

function NewPassword({ token }: { token: string }) {
  const t = useTranslations('signIn');
  const [newPassword, setNewPassword] = useState('');
  const reset = useResetPassword();
  return (
    <SignInCard title={t('resetTitle')} onSubmit={() => reset.mutateAsync({ token, newPassword })}>
      {reset.isSuccess ? (
        <Text role="status">{t('resetDone')}</Text>
      ) : (
        <>
          <PasswordInput
            label={t('newPassword')}
            description={t('passwordHint')}
            autoComplete="new-password"
            required
            value={newPassword}
            onChange={({ currentTarget }) => setNewPassword(currentTarget.value)}
          />
          <Failure error={reset.error} />
          <Button type="submit" loading={reset.isPending}>
            {t('resetSet')}
          </Button>
        </>
      )}
      <Anchor component={Link} to="/sign-in">
        {t('signIn')}
      </Anchor>
    </SignInCard>
  );
}
