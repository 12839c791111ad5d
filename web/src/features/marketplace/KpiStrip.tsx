import { marketplace, type Answer } from '#contract';
import { formatMoney, formatNumber, t, useApiQuery } from '#ui';
import css from '../../shared/StatsStrip.module.css';

const signed = (n: number): string => (n > 0 ? `+${formatNumber(n)}` : formatNumber(n));
const percent = (change: number | null | undefined): string | null =>
  change == null ? null : `${signed(change)}%`;

type Kpi = Answer<typeof marketplace.marketplaceKpi>['data'];
interface KpiFigure {
  label: string;
  /** Undefined while loading. */
  value: string | undefined;
  change?: string | false | null | undefined;
  /** The statuses that the list is filtered by when the figure is pressed. */
  picks?: string;
}

const kpiFigures = (k: Kpi | undefined): KpiFigure[] => [
  { label: t('Listed'), value: k && formatNumber(k.listed), picks: 'listed,under_offer' },
  { label: t('In checkout'), value: k && formatNumber(k.reserved), picks: 'reserved' },
  {
    label: t('Leased'),
    value: k && formatNumber(k.leased),
    change: k && t('{n} in 30 days', { n: signed(k.change.leased) }),
    picks: 'leased',
  },
  { label: t('Withdrawn'), value: k && formatNumber(k.withdrawn), picks: 'withdrawn' },
  {
    label: t('Views, 30 days'),
    value: k && formatNumber(k.views_30d),
    change: percent(k?.change.views_pct),
  },
  {
    label: t('Inquiries, 30 days'),
    value: k && formatNumber(k.inquiries_30d),
    change: percent(k?.change.inquiries_pct),
  },
  { label: t('Open offers'), value: k && formatNumber(k.offers_open), picks: 'under_offer' },
  {
    label: t('Leased / listed'),
    value: k && `${formatNumber(k.conversion_pct)}%`,
    change:
      k?.avg_days_to_lease != null &&
      t('{n, plural, one {# day} other {# days}} on average', { n: k.avg_days_to_lease }),
  },
  {
    label: t('Monthly revenue'),
    value: k && formatMoney(k.monthly_revenue_cents),
    change:
      Boolean(k?.change.monthly_revenue_cents) &&
      `+${formatMoney(k?.change.monthly_revenue_cents ?? 0)}`,
  },
];

/**
 * Marketplace figures of the last 30 days with their change; figures that count rows filter the
 * list.
 */
export function KpiStrip({ status, onPick }: { status: string; onPick: (status: string) => void }) {
  const kpi = useApiQuery(marketplace.marketplaceKpi, {}, { silent: true }).response?.data;
  return (
    <ul className={css.wrapped} aria-label={t('Marketplace summary')}>
      {kpiFigures(kpi).map((figure) => (
        <li key={figure.label}>
          <Figure figure={figure} status={status} onPick={onPick} />
        </li>
      ))}
    </ul>
  );
}

function Figure({
  figure: { label, value, change, picks },
  status,
  onPick,
}: {
  figure: KpiFigure;
  status: string;
  onPick: (status: string) => void;
}) {
  const content = (
    <>
      <span className={css.count} data-numeric>
        {value ?? '–'}
      </span>
      <span className={css.label}>
        {label}
        {change && ` · ${change}`}
      </span>
    </>
  );
  if (!picks)
    return (
      <div className={css.figure} style={{ cursor: 'default' }}>
        {content}
      </div>
    );
  return (
    <button
      type="button"
      className={css.figure}
      aria-pressed={status === picks}
      onClick={() => onPick(status === picks ? '' : picks)}
    >
      {content}
    </button>
  );
}
