import { useState } from 'react';
import { Button, Group, List, Stack, Textarea } from '@mantine/core';
import { caddy } from '#contract';
import { graceDays } from '#contract/caddy/rules';
import { navigate, t, toast, useApiMutation } from '#ui';
import { device, forgetSession } from '../session.ts';
import { AccountPage } from './AccountPage.tsx';
import { CodeStep, sentOf, type Sent } from './CodeStep.tsx';
import { FormError } from '../FormError.tsx';

/** Deletes the account, after a code; signing in again within the grace days keeps it. */
export default function DeleteAccount() {
  return <AccountPage title={t('Delete account')}>{() => <Steps />}</AccountPage>;
}

function Steps() {
  const [reason, setReason] = useState('');
  const [sent, setSent] = useState<Sent | null>(null);
  const { mutate, isPending, error } = useApiMutation(caddy.deleteCaddyAccount, { silent: true });
  const send = async (code?: string): Promise<void> => {
    const said = reason.trim();
    const answer = await mutate({
      body: { device: device(), ...(said && { reason: said }), ...(code && { code }) },
    });
    if (!answer) return;
    if ('sent' in answer.data) {
      setSent(sentOf(answer.data));
      return;
    }
    forgetSession();
    toast.success(answer.data.message, { ms: 15_000 });
    navigate('/caddy/sign-in', { replace: true });
  };
  if (sent)
    return (
      <CodeStep
        sent={sent}
        submitLabel={t('Delete my account')}
        submitColor="red"
        {...{ error, isPending, send }}
      />
    );
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        void send();
      }}
    >
      <Stack gap="md">
        <FormError error={error} />
        <WhatHappens />
        <Textarea
          label={t('Why are you leaving?')}
          description={t('Optional.')}
          autosize
          minRows={2}
          maxLength={1000}
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        <Group gap="xs">
          <Button type="submit" color="red" loading={isPending}>
            {t('Send code')}
          </Button>
          <Button component="a" href="/caddy/account" variant="default">
            {t('Keep my account')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const WhatHappens = () => (
  <List spacing="xs">
    <List.Item>{t('Your numbers stop at once.')}</List.Item>
    <List.Item>
      {t('After {n} days your texts, calls and everything else about you are erased.', {
        n: graceDays,
      })}
    </List.Item>
    <List.Item>{t('Sign in before then to keep your account.')}</List.Item>
    <List.Item>{t('A subscription from an app store has to be ended there.')}</List.Item>
  </List>
);
