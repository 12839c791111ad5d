import { formatNumber, t } from '#ui';
import { eventLabel } from '../../../shared/delivery-labels.ts';
import { configOf } from '../account-form.ts';
import { AccountCard } from '../AccountCard.tsx';
import type { Account } from '../AccountActions.tsx';
import type { SalesforceConfig } from './form-values.ts';
import { comesBackText } from '../ComesBackFields.tsx';
import { SalesforceDialog } from './SalesforceDialog.tsx';

/** A Salesforce org: what is made there. */
export function SalesforceCard({ account }: { account: Account }) {
  const config = configOf<SalesforceConfig>(account);
  const {
    rules = [],
    object = 'Lead',
    create_if_missing: creates,
    field_map: fields = {},
  } = config;
  const people = { Lead: t('Leads'), Contact: t('Contacts'), Task: t('None'), Case: t('None') };
  return (
    <AccountCard
      account={account}
      about={t('Choose which calls and texts are logged.')}
      rows={[
        [t('Org'), config.instance ?? t('None')],
        [t('Sends when'), rules.map(({ event }) => eventLabel(event)).join(', ') || t('Never')],
        [t('New people'), creates === false ? t('Left out') : people[object]],
        [t('Fields'), formatNumber(Object.keys(fields).length)],
        [t('Comes back'), comesBackText(config)],
      ]}
      dialog={(close) => <SalesforceDialog account={account} close={close} />}
    />
  );
}
