import { useEffect, useRef, useState } from 'react';
import { Alert, Anchor, Loader, Stack } from '@mantine/core';
import { externalSignIn, sso } from '#contract';
import { navigate, session, t, useApiMutation, type Tokens } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { externalOutcome } from '../external-outcome.ts';
import { enterApp, keepPendingSignIn } from '../pending-sign-in.ts';

/** Finishes a sign-in through a provider, from which the browser has just returned. */
export default function LoginExternal() {
  const [failure, setFailure] = useState<string | null>(null);
  const begun = useRef(false);
  // Of an organization's own provider someone new becomes a member first.
  const isOwn = externalOutcome()?.name != null;
  const { mutate } = useApiMutation(isOwn ? sso.signInBySso : externalSignIn.signInExternally, {
    retryOn429: false,
    silent: (error) => (setFailure(error.text), true),
    onSuccess: (answer) => {
      if ('token' in answer) return enterApp(answer.token as Tokens, false);
      const { mfa_token, methods } = answer;
      keepPendingSignIn({ mfa_token, methods, admin: false });
      navigate(`/login/mfa${window.location.search}`, { replace: true });
    },
  });
  useEffect(() => {
    // It works once, and React runs effects twice in development.
    if (begun.current) return;
    begun.current = true;
    session.set({ tokens: null, user: null });
    void mutate({ body: { remember: true } });
  }, [mutate]);
  return (
    <AuthFrame title={t('Sign in')}>
      {failure === null ? (
        <Loader size="sm" aria-label={t('Signing in')} />
      ) : (
        <Stack gap="sm">
          <Alert color="red" role="alert">
            {failure}
          </Alert>
          <Anchor href="/login" size="sm">
            {t('Back to sign in')}
          </Anchor>
        </Stack>
      )}
    </AuthFrame>
  );
}
