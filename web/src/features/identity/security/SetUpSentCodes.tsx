import { useState } from 'react';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { companies, mfa } from '#contract';
import { Modal, t, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { CodeInput } from '../CodeInput.tsx';

/** Sets up codes by text or email: a code is sent, and entering it turns them on. */
export function SetUpSentCodes({
  kind,
  close,
  done,
}: {
  kind: 'sms' | 'email';
  close: () => void;
  done: (codes: readonly string[] | null) => void;
}) {
  const [phone, setPhone] = useState('');
  const [code, setCode] = useState('');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const send = useApiMutation(mfa.sendMfaCode, {
    silent: (failure) => 'phone' in failure.fields,
    retryOn429: false,
    idempotencyKey: false,
    onSuccess: ({ data }) => setSentTo(data.masked),
  });
  const verify = useApiMutation(mfa.verifyMfa, {
    success: t('Two-step verification is on'),
    invalidates: [mfa.listMfa, companies.getUser],
    silent: (failure) => 'code' in failure.fields,
    idempotencyKey: false,
    onSuccess: ({ data }) => done(data.recovery_codes),
  });
  const submit = (): void => {
    if (sentTo) void verify.mutate({ params: { kind }, body: { code } });
    else void send.mutate({ params: { kind }, body: kind === 'sms' ? { phone } : {} });
  };
  return (
    <Modal
      opened
      onClose={close}
      title={kind === 'sms' ? t('Set up codes by text') : t('Set up codes by email')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          submit();
        }}
      >
        <Stack gap="sm">
          {!sentTo && kind === 'sms' && (
            <TextInput
              label={t('Phone number')}
              description={t('One of your company’s numbers texts the codes to it.')}
              type="tel"
              autoComplete="tel"
              data-autofocus
              value={phone}
              error={send.error?.fields['phone']}
              onChange={(e) => setPhone(e.currentTarget.value)}
            />
          )}
          {!sentTo && kind === 'email' && (
            <Text fz="sm">{t('We send a code to the email address you sign in with.')}</Text>
          )}
          {sentTo && (
            <CodeInput
              label={t('Code')}
              description={t('We sent a code to {to}.', { to: sentTo })}
              value={code}
              onChange={setCode}
              error={verify.error?.fields['code']}
            />
          )}
          <DialogFooter onCancel={close}>
            <Button
              type="submit"
              loading={send.isPending || verify.isPending}
              disabled={sentTo ? code.trim().length < 6 : kind === 'sms' && !phone.trim()}
            >
              {sentTo ? t('Turn on') : t('Send a code')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
