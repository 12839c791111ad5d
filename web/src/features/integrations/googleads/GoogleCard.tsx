import { formatNumber, t } from '#ui';
import { eventLabel } from '../../../shared/delivery-labels.ts';
import { configOf } from '../account-form.ts';
import { AccountCard } from '../AccountCard.tsx';
import type { Account } from '../AccountActions.tsx';
import type { GoogleConfig } from './form-values.ts';
import { GoogleDialog } from './GoogleDialog.tsx';

/** A Google Ads account: which calls it counts. */
export function GoogleCard({ account }: { account: Account }) {
  const {
    rules = [],
    customer_id: customer,
    conversion_actions: actions = [],
  } = configOf<GoogleConfig>(account);
  return (
    <AccountCard
      account={account}
      about={t('Choose a customer, and which calls are conversions.')}
      rows={[
        [t('Customer'), customer ?? t('None')],
        [t('Counts when'), rules.map(({ event }) => eventLabel(event)).join(', ') || t('Never')],
        [t('Conversion actions'), formatNumber(actions.length)],
      ]}
      dialog={(close) => <GoogleDialog account={account} close={close} />}
    />
  );
}
