import { useEffect, useState } from 'react';
import { Alert, Anchor, Button, Radio, Stack, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { mfa, passkeys } from '#contract';
import { navigate, t, useApiMutation, type ApiError, type Tokens } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { CodeInput } from '../CodeInput.tsx';
import { methodLabel } from '../methods.ts';
import { askPasskey } from '../passkey.ts';
import {
  enterApp,
  keepPendingSignIn,
  pendingSignIn,
  type PendingSignIn,
} from '../pending-sign-in.ts';

type Kind = PendingSignIn['methods'][number]['kind'];

/** The second step of signing in: a code, or a passkey. */
export default function LoginMfa() {
  const [waiting] = useState(pendingSignIn);
  useEffect(() => {
    if (!waiting) navigate(`/login${window.location.search}`, { replace: true });
  }, [waiting]);
  return waiting ? <SecondStep waiting={waiting} /> : null;
}

function useSecondStep(waiting: PendingSignIn) {
  const [failure, setFailure] = useState<string | null>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const show = (error: ApiError): boolean => {
    setFailure(error.text);
    // The token is used up: only the password helps.
    if (error.code === 'mfa.expired' || error.code === 'mfa.tries_used') keepPendingSignIn(null);
    return true;
  };
  const common = { retryOn429: false, silent: show, skipsSessionCheck: true };
  const signIn = useApiMutation(mfa.signInWithCode, {
    ...common,
    onSuccess: ({ token }) => enterApp(token as Tokens, waiting.admin),
  });
  const send = useApiMutation(mfa.mfaToken, {
    ...common,
    onSuccess: ({ sent_to }) => setSentTo(sent_to),
  });
  const options = useApiMutation(passkeys.passkeySignInOptions, common);
  const { mfa_token } = waiting;
  const withPasskey = async (): Promise<void> => {
    setFailure(null);
    const asked = await options.mutate({ body: { mfa_token } });
    const passkey = asked && (await askPasskey(asked.data));
    if (passkey) await signIn.mutate({ body: { mfa_token, kind: 'passkey', passkey } });
    else if (asked) setFailure(t('No passkey was used. Try again, or choose another way.'));
  };
  return {
    failure,
    sentTo,
    isPending: signIn.isPending || options.isPending,
    isSending: send.isPending,
    withPasskey,
    change: () => (setFailure(null), setSentTo(null)),
    sendCode: (kind: Exclude<Kind, 'passkey'>) => {
      setFailure(null);
      void send.mutate({ body: { mfa_token, kind } });
    },
    enter: (kind: Kind, code: string) => {
      setFailure(null);
      void signIn.mutate({ body: { mfa_token, kind, code } });
    },
  };
}

function SecondStep({ waiting }: { waiting: PendingSignIn }) {
  const [kind, setKind] = useState<Kind>(waiting.methods[0]?.kind ?? 'totp');
  const step = useSecondStep(waiting);
  return (
    <AuthFrame
      title={t('Confirm it’s you')}
      about={t('Your account has a second step.')}
      below={
        <Anchor href="/login" size="sm" onClick={() => keepPendingSignIn(null)}>
          {t('Back to sign in')}
        </Anchor>
      }
    >
      <Stack gap="sm">
        {waiting.methods.length > 1 && (
          <Radio.Group
            label={t('How to confirm')}
            value={kind}
            onChange={(value) => {
              setKind(value as Kind);
              step.change();
            }}
          >
            <Stack gap={6} mt={6}>
              {waiting.methods.map((m) => (
                <Radio key={m.kind} value={m.kind} label={methodLabel(m.kind, m.masked)} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        {step.failure && (
          <Alert color="red" role="alert">
            {step.failure}
          </Alert>
        )}
        {kind === 'passkey' ? (
          <Button
            leftSection={<IconFingerprint size={16} aria-hidden />}
            loading={step.isPending}
            onClick={() => void step.withPasskey()}
          >
            {t('Use a passkey')}
          </Button>
        ) : (
          <CodeStep key={kind} kind={kind} step={step} />
        )}
      </Stack>
    </AuthFrame>
  );
}

function CodeStep({
  kind,
  step,
}: {
  kind: Exclude<Kind, 'passkey'>;
  step: ReturnType<typeof useSecondStep>;
}) {
  const [code, setCode] = useState('');
  const isSent = kind === 'sms' || kind === 'email';
  const sendButton = isSent && (
    <Button variant="default" loading={step.isSending} onClick={() => step.sendCode(kind)}>
      {step.sentTo ? t('Send again') : t('Send a code')}
    </Button>
  );
  if (isSent && !step.sentTo) return sendButton;
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        step.enter(kind, code);
      }}
    >
      <Stack gap="sm">
        {kind === 'recovery' ? (
          <TextInput
            label={t('Recovery code')}
            autoComplete="off"
            autoFocus
            value={code}
            onChange={(e) => setCode(e.currentTarget.value)}
          />
        ) : (
          <CodeInput
            label={t('Code')}
            description={
              step.sentTo
                ? t('We sent a code to {to}.', { to: step.sentTo })
                : t('Six digits from your authenticator app.')
            }
            value={code}
            onChange={setCode}
          />
        )}
        <Button type="submit" loading={step.isPending} disabled={code.trim().length < 6}>
          {t('Sign in')}
        </Button>
        {sendButton}
      </Stack>
    </form>
  );
}
