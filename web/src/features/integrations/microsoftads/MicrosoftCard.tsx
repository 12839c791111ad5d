import { t } from '#ui';
import { eventLabel } from '../../../shared/delivery-labels.ts';
import { configOf } from '../account-form.ts';
import { AccountCard } from '../AccountCard.tsx';
import type { Account } from '../AccountActions.tsx';
import { MicrosoftDialog, type MicrosoftConfig } from './MicrosoftDialog.tsx';

/** A login of Microsoft Ads: which calls its ad account counts. */
export function MicrosoftCard({ account }: { account: Account }) {
  const {
    rules = [],
    account_id: adAccount,
    conversion_goal_name: goal,
  } = configOf<MicrosoftConfig>(account);
  return (
    <AccountCard
      account={account}
      about={t('Choose an ad account, and which calls are conversions.')}
      rows={[
        [t('Ad account'), adAccount ?? t('None')],
        [t('Counts when'), rules.map(({ event }) => eventLabel(event)).join(', ') || t('Never')],
        [t('Conversion goal'), goal ?? t('None')],
      ]}
      dialog={(close) => <MicrosoftDialog account={account} close={close} />}
    />
  );
}
