import { useState } from 'react';
import { Button, Code, Skeleton, Stack, Text } from '@mantine/core';
import { companies, mfa } from '#contract';
import { ErrorState, Modal, t, useApiMutation, useApiQuery } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { CodeInput } from '../CodeInput.tsx';

/** Sets up an authenticator app: a QR code to scan, then its first code. */
export function SetUpApp({
  close,
  done,
}: {
  close: () => void;
  done: (codes: readonly string[] | null) => void;
}) {
  const [code, setCode] = useState('');
  const { response, error, refetch } = useApiQuery(
    mfa.mfaQr,
    { params: { kind: 'totp' } },
    { refetchOnMount: true, silent: true },
  );
  const verify = useApiMutation(mfa.verifyMfa, {
    success: t('Two-step verification is on'),
    invalidates: [mfa.listMfa, companies.getUser],
    silent: (failure) => 'code' in failure.fields,
    idempotencyKey: false,
    onSuccess: ({ data }) => done(data.recovery_codes),
  });
  const qr = response?.data;
  return (
    <Modal
      opened
      onClose={close}
      title={t('Set up an authenticator app')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {error && !qr && <ErrorState error={error} retry={refetch} />}
      {!qr && !error && <Skeleton height={200} />}
      {qr && (
        <form
          onSubmit={(e) => {
            e.preventDefault();
            void verify.mutate({ params: { kind: 'totp' }, body: { code } });
          }}
        >
          <Stack gap="sm">
            <Text fz="sm">{t('Scan this with your authenticator app, or enter the secret.')}</Text>
            <img
              src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(qr.svg)}`}
              alt={t('QR code for your authenticator app')}
              width={200}
              height={200}
            />
            <Code block aria-label={t('Secret')} data-totp-secret>
              {qr.secret}
            </Code>
            <CodeInput
              label={t('Code')}
              description={t('Six digits from your authenticator app.')}
              value={code}
              onChange={setCode}
              error={verify.error?.fields['code']}
            />
            <DialogFooter onCancel={close}>
              <Button type="submit" loading={verify.isPending} disabled={code.trim().length < 6}>
                {t('Turn on')}
              </Button>
            </DialogFooter>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
