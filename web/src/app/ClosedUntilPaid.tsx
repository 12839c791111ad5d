import { IconReceiptOff } from '@tabler/icons-react';
import { EmptyState, Page, t } from '#ui';

/** Shown instead of every screen while the company owes money and the person can't pay it. */
export default function ClosedUntilPaid() {
  return (
    <Page title={t('Account suspended')}>
      <EmptyState
        icon={<IconReceiptOff size={28} stroke={1.5} />}
        title={t('This account has an outstanding balance.')}
      >
        {t('An owner or administrator can pay it, then you can work here again.')}
      </EmptyState>
    </Page>
  );
}
