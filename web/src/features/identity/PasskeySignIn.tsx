import { useState } from 'react';
import { Alert, Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { passkeys } from '#contract';
import { session, t, useApiMutation, type Tokens } from '#ui';
import { canUsePasskeys, askPasskey } from './passkey.ts';
import { enterApp } from './pending-sign-in.ts';

/** Signs in with a passkey instead of the password. Nothing where the browser can't. */
export function PasskeySignIn() {
  const [failure, setFailure] = useState<string | null>(null);
  const admin = new URLSearchParams(window.location.search).get('admin') === '1';
  const options = useApiMutation(passkeys.passkeySignInOptions, { retryOn429: false });
  const signIn = useApiMutation(passkeys.signInWithPasskey, {
    retryOn429: false,
    silent: (error) => (setFailure(error.text), true),
    onSuccess: ({ token }) => enterApp(token as Tokens, admin),
  });
  if (!canUsePasskeys()) return null;
  const start = async (): Promise<void> => {
    setFailure(null);
    session.set({ tokens: null, user: null });
    const asked = await options.mutate({ body: {} });
    if (!asked) return;
    const passkey = await askPasskey(asked.data);
    if (!passkey) return setFailure(t('No passkey was used. Try again, or use your password.'));
    await signIn.mutate({ body: { passkey, remember: true, ...(admin && { admin }) } });
  };
  return (
    <>
      {failure && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      <Button
        variant="default"
        fullWidth
        leftSection={<IconFingerprint size={16} aria-hidden />}
        loading={options.isPending || signIn.isPending}
        onClick={() => void start()}
      >
        {t('Sign in with a passkey')}
      </Button>
    </>
  );
}
