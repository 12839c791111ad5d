import { useEffect, useState } from 'react';
import { Button, Skeleton, Stack } from '@mantine/core';
import { connections, type Answer } from '#contract';
import {
  confirm,
  EmptyState,
  ErrorState,
  Section,
  StatusBadge,
  t,
  Time,
  toast,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  useFilters,
  usePermission,
  api,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import css from './Integrations.module.css';

type Response = Answer<typeof connections.listOAuthIntegrations>;
type Account = Response['data'][number];
type Provider = Response['providers'][number];

/** Third parties that the company can connect, and the accounts it connected. */
export default function Integrations() {
  const companyId = useCompanyId() ?? 0;
  const { response, error, refetch } = useApiQuery(connections.listOAuthIntegrations, {
    params: { companyId },
  });
  useOutcomeToast(response?.providers);
  return (
    <SettingsFrame
      title={t('Integrations')}
      description={t('Connect the tools your company already uses.')}
    >
      {error && !response ? (
        <ErrorState error={error} retry={refetch} />
      ) : !response ? (
        <Stack>
          {[0, 1, 2].map((i) => (
            <Skeleton key={i} height={72} />
          ))}
        </Stack>
      ) : (
        <Providers {...response} />
      )}
    </SettingsFrame>
  );
}

/** The providers that this server can connect, and those of which accounts are left. */
function Providers({ providers, data }: Response) {
  const shown = providers
    .map((provider) => ({
      provider,
      accounts: data.filter((one) => one.provider === provider.name),
    }))
    .filter(({ provider, accounts }) => provider.ready || accounts.length > 0);
  return shown.length > 0 ? (
    shown.map((one) => <ProviderSection key={one.provider.name} {...one} />)
  ) : (
    <EmptyState title={t('Nothing to connect yet')}>
      {t('The operator of this server decides which tools can be connected.')}
    </EmptyState>
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

function ProviderSection({ provider, accounts }: { provider: Provider; accounts: Account[] }) {
  const mayEdit = usePermission('integrations.edit');
  const companyId = useCompanyId() ?? 0;
  const [isLeaving, setLeaving] = useState(false);
  const connect = async (): Promise<void> => {
    setLeaving(true);
    const params = { companyId, provider: provider.name };
    // A failure is shown by the request layer; the button works again.
    const response = await api(connections.redirectToOAuthProvider, { params }).catch(() => null);
    if (response) window.location.assign(response.data.url);
    else setLeaving(false);
  };
  return (
    <Section
      title={provider.label}
      about={
        provider.ready
          ? undefined
          : t('Its operator has turned it off on this server. These accounts have stopped working.')
      }
      action={
        mayEdit &&
        provider.ready && (
          <Button variant="default" loading={isLeaving} onClick={() => void connect()}>
            {accounts.length > 0 ? t('Connect another account') : t('Connect')}
          </Button>
        )
      }
    >
      {accounts.length > 0 && (
        <ul className={css.accounts}>
          {accounts.map((account) => (
            <ConnectedAccount
              key={account.id}
              account={account}
              provider={provider}
              mayEdit={mayEdit}
            />
          ))}
        </ul>
      )}
    </Section>
  );
}

interface AccountProps {
  account: Account;
  provider: Provider;
  mayEdit: boolean;
}

function ConnectedAccount({ account, provider, mayEdit }: AccountProps) {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(connections.removeOAuthIntegration, {
    invalidates: [connections.listOAuthIntegrations],
    success: ({ data }) =>
      data.revoked
        ? t('{name} disconnected', { name: provider.label })
        : t('Disconnected. Also remove the app in {name}, which didn’t respond.', {
            name: provider.label,
          }),
  });
  const remove = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Disconnect {account}?', { account: account.account.name }),
      body: t('{name} and this company stop exchanging data.', { name: provider.label }),
      confirmLabel: t('Disconnect'),
      danger: true,
    });
    if (isSure) await mutate({ params: { companyId, id: account.id } });
  };
  return (
    <li className={css.account}>
      <span>
        <strong>{account.account.name}</strong>
        <small>
          {account.account.email && <>{account.account.email} · </>}
          {t('Connected')} <Time at={account.created_at} as="date" />
        </small>
        {account.last_error && account.status !== 'connected' && (
          <small>{account.last_error.text}</small>
        )}
      </span>
      <AccountStatus status={account.status} />
      {mayEdit && (
        <Button variant="default" size="xs" loading={isPending} onClick={() => void remove()}>
          {t('Disconnect')}
        </Button>
      )}
    </li>
  );
}

function AccountStatus({ status }: { status: Account['status'] }) {
  if (status === 'connected') return <StatusBadge tone="success">{t('Connected')}</StatusBadge>;
  if (status === 'error') return <StatusBadge tone="warn">{t('Last request failed')}</StatusBadge>;
  return <StatusBadge tone="danger">{t('Connect again')}</StatusBadge>;
}
