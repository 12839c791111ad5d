import { Skeleton } from '@mantine/core';
import { numbers } from '#contract';
import { formatNumber, t, useApiQuery } from '#ui';
import css from '../../../shared/StatsStrip.module.css';

type Filter = Record<string, string>;
/** Counts of the company's numbers; each count filters the list. */
export function StatsStrip({
  current,
  onPick,
}: {
  current: Filter;
  onPick: (filter: Filter) => void;
}) {
  const { response } = useApiQuery(numbers.numberStats);
  const s = response?.data;
  const figures: readonly (readonly [string, number | undefined, Filter])[] = [
    [t('All numbers'), s?.total, {}],
    [t('Local'), s?.local, { category: '2' }],
    [t('Toll-free'), s?.toll_free, { category: '1' }],
    ...(s?.fax ? [[t('Fax'), s.fax, { category: '3' }] as const] : []),
    ...(s?.bulk ? [[t('Bulk'), s.bulk, { category: '4' }] as const] : []),
    [t('Can text'), s?.sms_enabled, { sms: '1' }],
    [t('Unused for 30 days'), s?.unused_30d, { unused: '1' }],
    ...(s?.releasing ? [[t('Being released'), s.releasing, { status: 'releasing' }] as const] : []),
  ];
  return (
    <ul className={css.strip} aria-label={t('Numbers summary')}>
      {figures.map(([label, count, filter]) => {
        const keys = ['category', 'sms', 'unused', 'status'];
        const chosen = keys.every((key) => (current[key] ?? '') === (filter[key] ?? ''));
        return (
          <li key={label}>
            <button
              type="button"
              className={css.figure}
              aria-pressed={chosen}
              onClick={() => onPick({ category: '', sms: '', unused: '', status: '', ...filter })}
            >
              <span className={css.count} data-numeric>
                {count === undefined ? <Skeleton height={20} width={28} /> : formatNumber(count)}
              </span>
              <span className={css.label}>{label}</span>
            </button>
          </li>
        );
      })}
      {s && s.pending_ports > 0 && (
        <li>
          <a className={css.figure} href="/numbers/ports">
            <span className={css.count} data-numeric>
              {formatNumber(s.pending_ports)}
            </span>
            <span className={css.label}>{t('Porting in')}</span>
          </a>
        </li>
      )}
    </ul>
  );
}
