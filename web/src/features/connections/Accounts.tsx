import { useState } from 'react';
import { Button } from '@mantine/core';
import { oauthIntegrations } from '#contract';
import { confirm, Section, t, Time, useApiMutation, useCompanyId, usePermission } from '#ui';
import { AccountStatus } from '../../shared/AccountStatus.tsx';
import { accountScreen } from '../../shared/declared-screens.ts';
import { openConsent } from '../../shared/open-consent.ts';
import css from './Accounts.module.css';
import type { Account, Provider } from './Providers.tsx';

/** The accounts that the company connected, with their health and what can be done; nothing where there are none. */
export function Accounts({
  accounts,
  providers,
}: {
  accounts: readonly Account[];
  providers: readonly Provider[];
}) {
  if (accounts.length === 0) return null;
  return (
    <Section title={t('Connected accounts')}>
      <ul className={css.accounts}>
        {accounts.map((account) => {
          const provider = providers.find(({ name }) => name === account.provider);
          return provider && <Entry key={account.id} account={account} provider={provider} />;
        })}
      </ul>
    </Section>
  );
}

function Entry({ account, provider }: { account: Account; provider: Provider }) {
  const mayEdit = usePermission('integrations.edit');
  return (
    <li className={css.account}>
      <span>
        <strong>{account.account.name}</strong>
        <small>
          {provider.label}
          {account.account.email && <> · {account.account.email}</>}
          {' · '}
          {t('Connected')} <Time at={account.created_at} as="date" />
        </small>
        {!provider.ready && (
          <small>
            {t('Its operator has turned it off on this server, so it no longer works.')}
          </small>
        )}
        {account.last_error && <small role="status">{account.last_error.text}</small>}
      </span>
      <AccountStatus status={account.status} />
      {mayEdit && <Actions account={account} provider={provider} />}
    </li>
  );
}

function Actions({ account, provider }: { account: Account; provider: Provider }) {
  const companyId = useCompanyId() ?? 0;
  const params = { companyId, id: account.id };
  const setUpAt = accountScreen(account.provider);
  const { mutate, isPending } = useApiMutation(oauthIntegrations.removeOAuthIntegration, {
    invalidates: [oauthIntegrations.listOAuthIntegrations],
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
    if (isSure) await mutate({ params });
  };
  return (
    <span className={css.actions}>
      {setUpAt && account.status !== 'expired' && (
        <Button component="a" href={setUpAt} size="xs">
          {t('Set up')}
        </Button>
      )}
      {provider.ready && <Check account={account} />}
      <Button variant="default" size="xs" loading={isPending} onClick={() => void remove()}>
        {t('Disconnect')}
      </Button>
    </span>
  );
}

/** Reads the account again, or connects it again where its access has ended. */
function Check({ account }: { account: Account }) {
  const companyId = useCompanyId() ?? 0;
  const [isLeaving, setLeaving] = useState(false);
  const { mutate, isPending } = useApiMutation(oauthIntegrations.syncOAuthIntegration, {
    invalidates: [oauthIntegrations.listOAuthIntegrations],
    success: t('Checking {name}', { name: account.account.name }),
  });
  const again = async (): Promise<void> => {
    setLeaving(true);
    if (!(await openConsent(companyId, account.provider))) setLeaving(false);
  };
  if (account.status === 'expired')
    return (
      <Button size="xs" loading={isLeaving} onClick={() => void again()}>
        {t('Reconnect')}
      </Button>
    );
  return (
    <Button
      variant="default"
      size="xs"
      loading={isPending}
      onClick={() => void mutate({ params: { companyId, id: account.id } })}
    >
      {t('Check now')}
    </Button>
  );
}
