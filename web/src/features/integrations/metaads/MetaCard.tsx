import { t } from '#ui';
import { eventLabel } from '../../../shared/delivery-labels.ts';
import { configOf } from '../account-form.ts';
import { AccountCard } from '../AccountCard.tsx';
import type { Account } from '../AccountActions.tsx';
import { MetaDialog, type MetaConfig } from './MetaDialog.tsx';

/** A Meta account: which calls it counts. */
export function MetaCard({ account }: { account: Account }) {
  const {
    rules = [],
    event_name: name = 'Lead',
    pixel_or_dataset_id: dataset,
  } = configOf<MetaConfig>(account);
  return (
    <AccountCard
      account={account}
      about={t('Choose a dataset, and which calls are conversions.')}
      rows={[
        [t('Dataset'), dataset ?? t('None')],
        [t('Counts when'), rules.map(({ event }) => eventLabel(event)).join(', ') || t('Never')],
        [t('Event name'), name],
      ]}
      dialog={(close) => <MetaDialog account={account} close={close} />}
    />
  );
}
