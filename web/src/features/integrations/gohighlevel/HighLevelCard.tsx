import { t } from '#ui';
import { eventLabel } from '../../../shared/delivery-labels.ts';
import { configOf } from '../account-form.ts';
import { AccountCard } from '../AccountCard.tsx';
import type { Account } from '../AccountActions.tsx';
import type { HighLevelConfig } from './form-values.ts';
import { HighLevelDialog } from './HighLevelDialog.tsx';

/** A GoHighLevel location: what is logged there. */
export function HighLevelCard({ account }: { account: Account }) {
  const {
    rules = [],
    create_contact: creates,
    pipeline_id: pipeline,
    tags = [],
  } = configOf<HighLevelConfig>(account);
  return (
    <AccountCard
      account={account}
      about={t('Choose which calls and texts add contacts.')}
      rows={[
        [t('Sends when'), rules.map(({ event }) => eventLabel(event)).join(', ') || t('Never')],
        [t('New people'), creates === false ? t('Left out') : t('Created')],
        [t('Opportunities'), pipeline ? t('Created') : t('None')],
        [t('Tags'), tags.join(', ') || t('None')],
      ]}
      dialog={(close) => <HighLevelDialog account={account} close={close} />}
    />
  );
}
