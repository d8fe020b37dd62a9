/** Resets a forgotten password: requests a link by mail, or sets the new password if the link was opened. */
import { Alert, Anchor, Button, TextInput } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRequestReset, useResetPassword } from '../../queries/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { SignInCard } from './sign-in-card.tsx';

export function ResetPage(): ReactNode {
  const hash = useLocation({ select: ({ hash }) => hash });
  const [token, setToken] = useState(hash);
  // The user may open a second link in this page. When the user leaves the page, the URL has no token.
  if (hash && hash !== token) setToken(hash);
  return token ? <NewPassword token={token} /> : <RequestLink />;
}

function RequestLink() {
  const t = useTranslations('signIn');
  const [email, setEmail] = useState('');
  const request = useRequestReset();
  return (
    <ResetForm
      change={request}
      onSubmit={() => request.mutateAsync(email)}
      action={t('resetSend')}
      done={t('resetSent', { email })}
    >
      <TextInput
        label={t('email')}
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
    </ResetForm>
  );
}

function NewPassword({ token }: { token: string }) {
  const t = useTranslations('signIn');
  const [newPassword, setNewPassword] = useState('');
  const reset = useResetPassword();
  const removed = reset.data?.revokedPasskeys ?? 0;
  return (
    <ResetForm
      change={reset}
      onSubmit={() => reset.mutateAsync({ token, newPassword })}
      action={t('resetSet')}
      done={[t('resetDone'), removed > 0 && t('resetPasskeys', { count: removed })].filter(Boolean).join(' ')}
    >
      <PasswordField
        label={t('newPassword')}
        description={t('passwordHint')}
        autoComplete="new-password"
        value={newPassword}
        onChange={({ currentTarget }) => setNewPassword(currentTarget.value)}
      />
    </ResetForm>
  );
}

interface ResetFormProps {
  change: { isSuccess: boolean; isPending: boolean; error: Error | null };
  onSubmit(): Promise<unknown>;
  action: string;
  /** Replaces the form after success. */
  done: string;
  children: ReactNode;
}

function ResetForm({ change, onSubmit, action, done, children }: ResetFormProps) {
  const t = useTranslations('signIn');
  return (
    <SignInCard title={t('resetTitle')} onSubmit={onSubmit}>
      {change.isSuccess ? (
        <Alert color="green" role="status">
          {done}
        </Alert>
      ) : (
        <>
          {children}
          <Failure error={change.error} />
          <Button type="submit" loading={change.isPending}>
            {action}
          </Button>
        </>
      )}
      <Anchor component={Link} to="/sign-in">
        {t('signIn')}
      </Anchor>
    </SignInCard>
  );
}
