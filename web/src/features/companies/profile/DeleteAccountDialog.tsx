import { useState, type ReactNode } from 'react';
import { Alert, Button, List, Loader, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { ownAccount, type Answer } from '#contract';
import { ErrorState, t, useApiMutation, useApiQuery } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { endSession } from '../../../shared/sign-out.ts';

type Preview = Answer<typeof ownAccount.previewOwnErasure>['data'];

/** Says what deleting one's own account does, and does it once the address is typed. */
export function DeleteAccountDialog({ userId, close }: { userId: number; close: () => void }) {
  const { response, error, refetch } = useApiQuery(
    ownAccount.previewOwnErasure,
    { params: { userId } },
    { silent: true },
  );
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t('Delete your account?')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {response ? (
        <Delete userId={userId} preview={response.data} close={close} />
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <Loader size="sm" aria-label={t('Loading')} />
      )}
    </Modal>
  );
}

function Delete({
  userId,
  preview,
  close,
}: {
  userId: number;
  preview: Preview;
  close: () => void;
}) {
  const { email, stop } = preview;
  const [typed, setTyped] = useState('');
  const isReady = !stop && typed.trim().toLowerCase() === email.toLowerCase();
  const { mutate, isPending } = useApiMutation(ownAccount.eraseOwnAccount, {
    onSuccess: () => endSession(t('Your account was deleted.')),
  });
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        if (isReady) void mutate({ params: { userId }, body: { email } });
      }}
    >
      <Stack gap="md">
        <WhatHappens preview={preview} />
        {!stop && (
          <TextInput
            label={t('Type {names} to confirm', { names: email })}
            autoComplete="off"
            data-autofocus
            value={typed}
            onChange={(e) => setTyped(e.currentTarget.value)}
          />
        )}
        <DialogFooter onCancel={close}>
          <Button type="submit" color="red" disabled={!isReady} loading={isPending}>
            {t('Delete my account')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

function WhatHappens({ preview: { companies, stop, stays } }: { preview: Preview }) {
  return (
    <>
      {stop ? (
        <Alert color="orange" title={stop.names.join(', ') || undefined}>
          {stop.message}
        </Alert>
      ) : (
        <Alert color="red">{t('This deletes your account for good. It can’t be undone.')}</Alert>
      )}
      <Part title={t('Deleted')}>
        <List.Item>{t('Your sign-in, with passkeys, second factors and API keys')}</List.Item>
        <List.Item>{t('Your phones, favorites and notification settings')}</List.Item>
        <List.Item>{t('Your name beside calls, texts and notes')}</List.Item>
        {companies.length > 0 && (
          <List.Item>
            {t('Your place in {names}', { names: companies.map(({ name }) => name).join(', ') })}
          </List.Item>
        )}
      </Part>
      <Part title={t('Kept')}>
        {stays.map(({ what, why }) => (
          <List.Item key={what}>
            {what}
            <Text size="sm" c="dimmed">
              {why}
            </Text>
          </List.Item>
        ))}
      </Part>
    </>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <Title order={3} size="sm" mb={4}>
      {title}
    </Title>
    <List size="sm">{children}</List>
  </div>
);
