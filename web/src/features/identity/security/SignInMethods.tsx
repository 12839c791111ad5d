import { useEffect, useRef } from 'react';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { companies, externalSignIn, type Answer } from '#contract';
import { confirm, ErrorState, navigate, Section, t, Time, useApiMutation, useApiQuery } from '#ui';
import { externalOutcome, outcomeSentence } from '../external-outcome.ts';
import { useProviderLabel } from '../ExternalOutcome.tsx';
import { ProviderIcon } from '../ProviderButtons.tsx';

type Method = Answer<typeof externalSignIn.listSignInMethods>['data']['providers'][number];

/** The providers through whom the person signs in. Nothing where none is set up. */
export function SignInMethods() {
  const { response, error, refetch } = useApiQuery(
    externalSignIn.listSignInMethods,
    {},
    { silent: true },
  );
  const failure = useReturn();
  if (error && !response) return <ErrorState error={error} retry={refetch} />;
  if (!response?.data.providers.length) return null;
  const { has_password, providers } = response.data;
  return (
    <Section
      title={t('Sign-in methods')}
      about={t('Sign in through another account with the same email address.')}
    >
      <Stack gap="md">
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        {!has_password && (
          <Alert color="teal" role="status">
            {t('You have no password. You can set one in your profile.')}
          </Alert>
        )}
        {providers.map((method) => (
          <MethodRow key={method.provider} method={method} />
        ))}
      </Stack>
    </Section>
  );
}

/** Finishes, or reports, the visit to a provider from which this page was opened. */
function useReturn(): string | null {
  const visit = externalOutcome();
  const label = useProviderLabel(visit ?? { provider: '' });
  const link = useLinking(label);
  const done = useRef(false);
  const outcome = visit?.outcome;
  useEffect(() => {
    // Begun here, or at the sign-in page: then the person has not said yet that they want it.
    if (done.current || (outcome !== 'linked' && outcome !== 'link')) return;
    // The provider is called by its label once that is known.
    if (label === visit?.provider) return;
    done.current = true;
    void link(outcome === 'link');
  });
  return visit ? outcomeSentence(visit.outcome, label) : null;
}

function useLinking(label: string): (asks: boolean) => Promise<void> {
  const { mutate } = useApiMutation(externalSignIn.linkSignIn, {
    success: t('{provider} linked', { provider: label }),
    invalidates: [externalSignIn.listSignInMethods],
    idempotencyKey: false,
  });
  return async (asks) => {
    const yes =
      !asks ||
      (await confirm({
        title: t('Link {provider}?', { provider: label }),
        body: t('From then on you can sign in with it.'),
        confirmLabel: t('Link'),
      }));
    if (yes) await mutate();
    // A reload must not do it again.
    navigate('/settings/security', { replace: true });
  };
}

function MethodRow({ method }: { method: Method }) {
  const { provider, label, linked } = method;
  return (
    <Group justify="space-between" wrap="nowrap" role="group" aria-label={label}>
      <Group gap="sm" wrap="nowrap">
        <ProviderIcon provider={provider} size={20} />
        <div>
          <Text fw={500}>{label}</Text>
          <Text fz="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {!linked && t('Not linked')}
            {linked && (
              <>
                {linked.email}
                {linked.last_used_at && (
                  <>
                    {' · '}
                    {t('Last used')} <Time at={linked.last_used_at} as="ago" />
                  </>
                )}
              </>
            )}
          </Text>
        </div>
      </Group>
      {linked ? <Unlink method={method} /> : <Link provider={provider} />}
    </Group>
  );
}

function Link({ provider }: { provider: string }) {
  const { mutate, isPending } = useApiMutation(externalSignIn.startLinkingSignIn, {
    idempotencyKey: false,
    onSuccess: ({ data }) => window.location.assign(data.url),
  });
  return (
    <Button
      variant="default"
      loading={isPending}
      onClick={() => void mutate({ params: { provider } })}
    >
      {t('Link')}
    </Button>
  );
}

function Unlink({ method: { provider, label, linked } }: { method: Method }) {
  const { mutate, isPending } = useApiMutation(externalSignIn.unlinkSignIn, {
    success: t('{provider} unlinked', { provider: label }),
    invalidates: [externalSignIn.listSignInMethods, companies.getUser],
  });
  const ask = async (): Promise<void> => {
    const yes = await confirm({
      title: t('Unlink {provider}?', { provider: label }),
      body: t('You can no longer sign in with it.'),
      confirmLabel: t('Unlink'),
      danger: true,
    });
    if (yes) await mutate({ params: { provider } });
  };
  return (
    <Button
      variant="subtle"
      color="red"
      loading={isPending}
      disabled={!linked?.can_unlink}
      title={linked?.can_unlink ? undefined : t('This is your only way to sign in.')}
      onClick={() => void ask()}
    >
      {t('Unlink')}
    </Button>
  );
}
