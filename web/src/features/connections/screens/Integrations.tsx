import { useEffect, useState } from 'react';
import { Alert, Skeleton, Stack, TextInput } from '@mantine/core';
import { oauthIntegrations } from '#contract';
import { ErrorState, t, toast, useApiQuery, useCompanyId, useFilters } from '#ui';
import { Accounts } from '../Accounts.tsx';
import { Gallery } from '../Gallery.tsx';
import { NotSetUp, Providers, type Provider } from '../Providers.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';

/** Places to deliver to, third parties that the company can connect, and the accounts it connected. */
export default function Integrations() {
  const companyId = useCompanyId() ?? 0;
  const [entered, setEntered] = useState('');
  const search = entered.trim().toLowerCase();
  const { response, error, refetch } = useApiQuery(oauthIntegrations.listOAuthIntegrations, {
    params: { companyId },
  });
  useOutcomeToast(response?.providers);
  return (
    <SettingsFrame
      title={t('Integrations')}
      description={t('Connect the tools your company already uses.')}
    >
      <TextInput
        mb="md"
        aria-label={t('Search integrations')}
        placeholder={t('Search integrations')}
        value={entered}
        onChange={(event) => setEntered(event.currentTarget.value)}
      />
      <Gallery search={search} />
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!error && !response && (
        <Stack>
          {[0, 1, 2].map((i) => (
            <Skeleton key={i} height={72} />
          ))}
        </Stack>
      )}
      {response && (
        <Stack gap="md">
          {response.meta.simulated && (
            <Alert color="blue">
              {t('Receivers are simulated here: nothing leaves this server.')}
            </Alert>
          )}
          <Accounts accounts={response.data} providers={response.providers} />
          <Providers providers={response.providers} accounts={response.data} search={search} />
          <NotSetUp providers={response.providers} />
        </Stack>
      )}
    </SettingsFrame>
  );
}

/** Says once how connecting went, from the query with which the server sends the browser back. */
function useOutcomeToast(providers: readonly Provider[] | undefined): void {
  const { filters, set } = useFilters({ provider: '', outcome: '', reason: '' });
  const { outcome, provider, reason } = filters;
  const name = providers?.find((one) => one.name === provider)?.label;
  useEffect(() => {
    if (!outcome || !name) return;
    if (outcome === 'connected') toast.success(t('{name} is connected', { name }));
    else toast.warn(failureText(reason, name));
    set({ provider: '', outcome: '', reason: '' });
  }, [outcome, name, reason, set]);
}

/** Why connecting failed, by the callback's reason. */
function failureText(reason: string, name: string): string {
  if (reason === 'refused') return t('{name} wasn’t connected. Access was declined.', { name });
  if (reason === 'away') return t('{name} didn’t respond. Try again in a few minutes.', { name });
  return t('That link has expired. Connect {name} again.', { name });
}
