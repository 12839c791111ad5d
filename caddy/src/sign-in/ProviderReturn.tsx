import { useEffect, useRef, useState } from 'react';
import { Anchor, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { CodeEntry, ResendCode, t } from '#ui';
import { FormError } from '../FormError.tsx';
import { Front } from '../Front.tsx';
import { forgetArrival, readArrival, type Visit } from './provider-visit.ts';
import { useProviderSignIn, type ProviderSignIn } from './use-provider-sign-in.ts';

/** Where the browser arrives from Google or Apple: the session starts, or one question is left. */
export default function ProviderReturn() {
  const [arrival] = useState(readArrival);
  useEffect(() => forgetArrival(arrival), [arrival]);
  const { visit, idToken, isCanceled } = arrival;
  if (visit && idToken) return <Arrived visit={visit} idToken={idToken} />;
  return (
    <Front
      title={isCanceled ? t('Sign-in canceled') : t('That didn’t work')}
      about={
        isCanceled
          ? t('Nothing was changed. You can start again.')
          : t('This sign-in wasn’t started here, or it is over. Start again.')
      }
    >
      <BackLink search={visit?.search ?? ''} isNew={visit?.mode === 'up'} />
    </Front>
  );
}

const BackLink = ({ search, isNew }: { search: string; isNew: boolean }) => (
  <Button
    component="a"
    href={`/caddy/${isNew ? 'welcome' : 'sign-in'}${search}`}
    size="md"
    fullWidth
  >
    {isNew ? t('Back to sign-up') : t('Back to sign-in')}
  </Button>
);

function Arrived({ visit, idToken }: { visit: Visit; idToken: string }) {
  const model = useProviderSignIn(idToken, visit);
  const begun = useRef(false);
  useEffect(() => {
    // The token opens one session, so it is sent once.
    if (begun.current) return;
    begun.current = true;
    model.begin();
  }, [model]);
  const { sent, error, isPending } = model;
  const { label, search, mode } = visit;
  if (sent) return <ConnectStep model={model} label={label} />;
  if (error?.code === 'caddy.unknown')
    return (
      <Front
        title={t('Create your account?')}
        about={t('There’s no account for this {provider} account yet.', { provider: label })}
        below={
          <Anchor href={`/caddy/sign-in${search}`} inherit>
            {t('Sign in another way')}
          </Anchor>
        }
      >
        <Stack gap="md">
          <Button size="md" loading={isPending} onClick={model.signUp}>
            {t('Create account')}
          </Button>
          <Text size="xs" c="dimmed">
            {t('Caddy numbers can’t call 911 or other emergency services.')}
          </Text>
        </Stack>
      </Front>
    );
  if (error && !isPending)
    return (
      <Front title={t('That didn’t work')}>
        <Stack gap="md">
          <FormError error={error} />
          <BackLink search={search} isNew={mode === 'up'} />
        </Stack>
      </Front>
    );
  return (
    <Front title={t('Signing in with {provider}', { provider: label })}>
      <Center role="status" aria-label={t('Loading')} p="xl">
        <Loader size="sm" />
      </Center>
    </Front>
  );
}

/** The address has an account that was never opened with this provider: a code proves it. */
function ConnectStep({ model, label }: { model: ProviderSignIn; label: string }) {
  const { sent, error, isPending } = model;
  return (
    <Front
      title={t('Connect {provider}', { provider: label })}
      about={t(
        'You already have an account with this email address. Enter the code we sent to {to}, and you can sign in with {provider} from now on.',
        { to: sent?.masked ?? '', provider: label },
      )}
      below={
        <ResendCode at={sent?.resendAt ?? 0} isPending={isPending} onResend={model.sendCode} />
      }
    >
      <CodeEntry
        submitLabel={t('Connect and sign in')}
        errorText={isPending ? null : (error?.fields['code'] ?? error?.text)}
        isPending={isPending}
        onSubmit={model.submitCode}
      />
    </Front>
  );
}
