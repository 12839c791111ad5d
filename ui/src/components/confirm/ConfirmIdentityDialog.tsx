import { useState } from 'react';
import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { confirmIdentity, listMfa } from '#contract/identity/mfa/endpoints';
import { listSignInMethods } from '#contract/identity/external-sign-in/endpoints';
import { t } from '../../i18n.ts';
import { useApiMutation } from '../../use-api-mutation.ts';
import { useApiQuery } from '../../use-api.ts';
import { DialogFooter } from '../DialogFooter.tsx';
import { Modal } from '../Lazy.tsx';

/** Asks for the password, or a code of the authenticator app, before a dangerous action. */
export function ConfirmIdentityDialog({ finish }: { finish: (confirmed: boolean) => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [usesCode, setUsesCode] = useState(false);
  const { response } = useApiQuery(listMfa, {}, { silent: true });
  const hasApp = response?.data.some((f) => f.kind === 'totp' && f.enabled) ?? false;
  const { response: methods } = useApiQuery(listSignInMethods, {}, { silent: true });
  const { mutate, isPending, error } = useApiMutation(confirmIdentity, {
    silent: true,
    retryOn429: false,
    idempotencyKey: false,
    onSuccess: () => finish(true),
  });
  if (methods?.data.has_password === false && !hasApp)
    return <ComeAgain providers={methods.data.providers} finish={finish} />;
  return (
    <Modal
      opened
      onClose={() => finish(false)}
      title={t('Confirm it’s you')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void mutate({ body: usesCode ? { kind: 'totp', code } : { password } });
        }}
      >
        <Stack gap="sm">
          {error && (
            <Alert color="red" role="alert">
              {error.text}
            </Alert>
          )}
          {usesCode ? (
            <TextInput
              label={t('Code')}
              description={t('Six digits from your authenticator app.')}
              inputMode="numeric"
              autoComplete="one-time-code"
              data-autofocus
              value={code}
              onChange={(e) => setCode(e.currentTarget.value)}
            />
          ) : (
            <PasswordInput
              label={t('Password')}
              description={t('You won’t be asked again for 15 minutes.')}
              autoComplete="current-password"
              data-autofocus
              visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
              value={password}
              onChange={(e) => setPassword(e.currentTarget.value)}
            />
          )}
          {hasApp && (
            <Button variant="subtle" size="compact-sm" onClick={() => setUsesCode(!usesCode)}>
              {usesCode ? t('Use the password') : t('Use a code from the app')}
            </Button>
          )}
          <DialogFooter onCancel={() => finish(false)}>
            <Button type="submit" loading={isPending} disabled={usesCode ? !code : !password}>
              {t('Confirm')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

/** Without a password or an app, people confirm who they are by coming through their provider again. */
function ComeAgain(props: {
  providers: readonly { provider: string; label: string; linked: unknown }[];
  finish: (confirmed: boolean) => void;
}) {
  const next = window.location.pathname + window.location.search;
  return (
    <Modal
      opened
      onClose={() => props.finish(false)}
      title={t('Confirm it’s you')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        <Text>{t('You have no password. Sign in again, then repeat what you were doing.')}</Text>
        {props.providers
          .filter(({ linked }) => linked !== null)
          .map(({ provider, label }) => (
            <Button
              key={provider}
              component="a"
              variant="default"
              href={`/api/oauth/${provider}/redirect?${new URLSearchParams({ next }).toString()}`}
            >
              {t('Continue with {provider}', { provider: label })}
            </Button>
          ))}
      </Stack>
    </Modal>
  );
}
