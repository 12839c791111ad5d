import { marketplace } from '#contract';
import { formatMoney, formatNumber, t, useApiQuery } from '#ui';
import css from '../list/StatsStrip.module.css';

const signed = (n: number): string => (n > 0 ? `+${formatNumber(n)}` : formatNumber(n));
/**
 * Marketplace figures of the last 30 days with their change; figures that count rows filter the
 * list.
 */
export function KpiStrip({ status, onPick }: { status: string; onPick: (status: string) => void }) {
  const k = useApiQuery(marketplace.marketplaceKpi, {}, { silent: true }).response?.data;
  const rows: readonly (readonly [string, string, string | null, string | null])[] = [
    [t('Listed'), k ? formatNumber(k.listed) : '–', null, 'listed,under_offer'],
    [t('In checkout'), k ? formatNumber(k.reserved) : '–', null, 'reserved'],
    [
      t('Leased'),
      k ? formatNumber(k.leased) : '–',
      k ? t('{n} in 30 days', { n: signed(k.change.leased) }) : null,
      'leased',
    ],
    [t('Withdrawn'), k ? formatNumber(k.withdrawn) : '–', null, 'withdrawn'],
    [
      t('Views, 30 days'),
      k ? formatNumber(k.views_30d) : '–',
      k?.change.views_pct == null ? null : `${signed(k.change.views_pct)}%`,
      null,
    ],
    [
      t('Inquiries, 30 days'),
      k ? formatNumber(k.inquiries_30d) : '–',
      k?.change.inquiries_pct == null ? null : `${signed(k.change.inquiries_pct)}%`,
      null,
    ],
    [t('Open offers'), k ? formatNumber(k.offers_open) : '–', null, 'under_offer'],
    [
      t('Leased / listed'),
      k ? `${formatNumber(k.conversion_pct)}%` : '–',
      k?.avg_days_to_lease == null
        ? null
        : t('{n, plural, one {# day} other {# days}} on average', { n: k.avg_days_to_lease }),
      null,
    ],
    [
      t('Monthly revenue'),
      k ? formatMoney(k.monthly_revenue_cents) : '–',
      k && k.change.monthly_revenue_cents
        ? `+${formatMoney(k.change.monthly_revenue_cents)}`
        : null,
      null,
    ],
  ];
  return (
    <ul className={css.wrapped} aria-label={t('Marketplace summary')}>
      {rows.map(([label, value, change, picks]) => {
        const inside = (
          <>
            <span className={css.count} data-numeric>
              {value}
            </span>
            <span className={css.label}>
              {label}
              {change && ` · ${change}`}
            </span>
          </>
        );
        return (
          <li key={label}>
            {picks ? (
              <button
                type="button"
                className={css.figure}
                aria-pressed={status === picks}
                onClick={() => onPick(status === picks ? '' : picks)}
              >
                {inside}
              </button>
            ) : (
              <div className={css.figure} style={{ cursor: 'default' }}>
                {inside}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}
