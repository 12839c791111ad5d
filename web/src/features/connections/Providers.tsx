import { useState } from 'react';
import { Button, Code } from '@mantine/core';
import type { Answer, oauthIntegrations } from '#contract';
import { EmptyState, Section, t, useCompanyId, usePermission } from '#ui';
import { openConsent } from '../../shared/open-consent.ts';
import css from './Gallery.module.css';

type List = Answer<typeof oauthIntegrations.listOAuthIntegrations>;
export type Provider = List['providers'][number];
export type Account = List['data'][number];

/** The providers that can be connected on this server, each with what is connected; nothing where none is found. */
export function Providers({
  providers,
  accounts,
  search,
}: {
  providers: readonly Provider[];
  accounts: readonly Account[];
  search: string;
}) {
  const ready = providers.filter((one) => one.ready);
  const shown = ready.filter(({ label }) => label.toLowerCase().includes(search));
  if (ready.length === 0 && accounts.length === 0)
    return (
      <EmptyState title={t('Nothing to connect yet')}>
        {t('The operator of this server decides which tools can be connected.')}
      </EmptyState>
    );
  if (shown.length === 0) return null;
  return (
    <Section
      title={t('Connect an account')}
      about={t('You sign in at the provider and agree there. Your password stays with it.')}
    >
      <ul className={css.tiles} data-inside>
        {shown.map((provider) => (
          <Offered
            key={provider.name}
            provider={provider}
            connected={accounts.filter((one) => one.provider === provider.name).length}
          />
        ))}
      </ul>
    </Section>
  );
}

function Offered({ provider, connected }: { provider: Provider; connected: number }) {
  const mayEdit = usePermission('integrations.edit');
  const companyId = useCompanyId() ?? 0;
  const [isLeaving, setLeaving] = useState(false);
  const connect = async (): Promise<void> => {
    setLeaving(true);
    if (!(await openConsent(companyId, provider.name))) setLeaving(false);
  };
  return (
    <li className={css.tile}>
      <strong>{provider.label}</strong>
      <span>
        {connected > 0
          ? t('{n, plural, one {# account connected} other {# accounts connected}}', {
              n: connected,
            })
          : provider.delivers
            ? t('Not connected')
            : t('Can be connected, but nothing is sent there yet')}
      </span>
      {mayEdit && (
        <Button
          variant="default"
          size="compact-sm"
          loading={isLeaving}
          onClick={() => void connect()}
        >
          {connected > 0 ? t('Connect another account') : t('Connect')}
        </Button>
      )}
    </li>
  );
}

/** For operators: what customers can't connect, and what to set on the server; nothing for others. */
export function NotSetUp({ providers }: { providers: readonly Provider[] }) {
  const missing = providers.filter((one) => one.setup !== null);
  if (missing.length === 0) return null;
  return (
    <Section
      title={t('Not set up on this server')}
      about={t('Only operators see this. Customers aren’t offered these providers.')}
    >
      <ul className={css.setup}>
        {missing.map(({ name, label, setup }) => (
          <li key={name}>
            <strong>{label}</strong>
            {setup && setup.variables.length > 0 ? (
              <span>
                {t('Set these on the server, with an app at {label} whose redirect URL is below.', {
                  label,
                })}{' '}
                <Code>{setup.variables.join(', ')}</Code> <Code>{setup.redirect_url}</Code>
              </span>
            ) : (
              <span>{t('This version can’t connect it yet.')}</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
