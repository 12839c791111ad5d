import { formatNumber, t } from '#ui';
import { eventLabel } from '../../../shared/delivery-labels.ts';
import { configOf } from '../account-form.ts';
import { AccountCard } from '../AccountCard.tsx';
import type { Account } from '../AccountActions.tsx';
import type { HubspotConfig } from './form-values.ts';
import { comesBackText } from '../ComesBackFields.tsx';
import { HubspotDialog } from './HubspotDialog.tsx';

/** A HubSpot account: what is logged there. */
export function HubspotCard({ account }: { account: Account }) {
  const config = configOf<HubspotConfig>(account);
  const { rules = [], create_contact: creates, field_map: fields = {} } = config;
  return (
    <AccountCard
      account={account}
      about={t('Choose which calls and texts are logged.')}
      rows={[
        [t('Logs when'), rules.map(({ event }) => eventLabel(event)).join(', ') || t('Never')],
        [t('New people'), creates === false ? t('Left out') : t('Created')],
        [t('Fields'), formatNumber(Object.keys(fields).length)],
        [t('Comes back'), comesBackText(config)],
      ]}
      dialog={(close) => <HubspotDialog account={account} close={close} />}
    />
  );
}
