import { formatMoney, Section, t } from '#ui';
import type { RegistrationView } from './labels.ts';
import css from './Registration.module.css';

/** Registry fees, passed on at cost. */
export function Fees({ fees }: { fees: RegistrationView['fees'] }) {
  return (
    <Section
      title={t('Fees')}
      about={t('Registry fees, passed on at cost. The sandbox doesn’t charge.')}
    >
      <dl className={css.fees}>
        {fees.lines.map((l) => (
          <div key={l.label}>
            <dt>{l.label}</dt>
            <dd>{formatMoney(l.cents)}</dd>
          </div>
        ))}
        <div data-total>
          <dt>{t('Due today')}</dt>
          <dd>{formatMoney(fees.due_today_cents)}</dd>
        </div>
        <div data-total>
          <dt>{t('Per month')}</dt>
          <dd>{formatMoney(fees.monthly_cents)}</dd>
        </div>
      </dl>
    </Section>
  );
}
