/** Signing in. On a new service, the page creates the operator instead. */

import { Anchor, Button, Text, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { passkeysHere } from '../../queries/passkeys.ts';
import { isRefused } from '../../queries/refused.ts';
import { signInOptionsQuery, useSignIn } from '../../queries/session.ts';
import { Failure } from '../../ui/failure.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { focusField } from './focus-field.ts';
import { PasskeyButton } from './passkey-button.tsx';
import { SecondFactor } from './second-factor.tsx';
import { SignInCard } from './sign-in-card.tsx';

export function SignInPage() {
  const t = useTranslations('signIn');
  const { data: options } = useSuspenseQuery(signInOptionsQuery(useClient()));
  const isFirst = !options.userExists;
  const { to, ended } = useSearch({ from: '/sign-in' });
  // The service prints a link that contains the token of the first sign-up.
  const givenToken = useLocation({ select: ({ hash }) => hash });
  const navigate = useNavigate();
  const [isNew, setIsNew] = useState(isFirst);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [token, setToken] = useState(givenToken);
  const signIn = useSignIn(isNew ? 'sign-up' : 'sign-in');
  const goOn = () => navigate({ href: to ?? '/' });
  const [isRestarted, setRestarted] = useState(false);
  const restart = () => {
    signIn.reset();
    setPassword('');
    setRestarted(true);
  };
  const submit = async () => {
    await signIn.mutateAsync({ email, password, ...(token ? { token } : {}) });
    await goOn();
  };
  if (isRefused(signIn.error, 'second_factor_required')) return <SecondFactor onDone={goOn} onRestart={restart} />;
  return (
    <SignInCard title={isFirst ? t('welcome') : isNew ? t('signUp') : t('signIn')} onSubmit={submit}>
      {isFirst && <Text>{t('welcomeHint')}</Text>}
      {ended && !isFirst && <Text role="status">{t('ended')}</Text>}
      <TextInput
        label={t('email')}
        type="email"
        autoComplete="email"
        required
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <PasswordField
        label={t('password')}
        description={isNew ? t('passwordHint') : undefined}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        ref={isRestarted ? focusField : undefined}
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      {options.signUp === 'token' && (
        <TextInput
          label={t('token')}
          description={t('tokenHint')}
          required
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
        />
      )}
      <Failure error={signIn.error} />
      <Button type="submit" loading={signIn.isPending}>
        {isNew ? t('create') : t('signIn')}
      </Button>
      {!isNew && passkeysHere(options.passkeyHost) === 'ready' && <PasskeyButton onDone={goOn} />}
      {!isFirst && options.signUp === 'open' && (
        <Anchor component="button" type="button" onClick={() => setIsNew(!isNew)}>
          {isNew ? t('haveAccount') : t('noAccount')}
        </Anchor>
      )}
      {!isNew && options.passwordReset === 'mail' && (
        <Anchor component={Link} to="/reset-password">
          {t('forgottenLink')}
        </Anchor>
      )}
      {!isNew && options.passwordReset === 'operator' && <Text size="sm">{t('forgotten')}</Text>}
    </SignInCard>
  );
}
