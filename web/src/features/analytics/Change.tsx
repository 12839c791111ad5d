import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { formatNumber, Hidden, t } from '#ui';
import css from './CallMetrics.module.css';

interface ChangeProps {
  abs: number;
  /** null: it was 0. */
  pct: number | null;
  before: number;
  /** How values are said, where they are no count. */
  format?: (n: number) => string;
  /** Which direction is good; absent: neither. */
  betterWhen?: 'more' | 'fewer';
  /** A percentage changes by points. */
  isRate?: boolean;
}

/** After a handful, a percentage of thousands says nothing. */
export const mostPercent = 1000;

/**
 * The change of a figure: an arrow and a percentage (or the difference, when the earlier value is 0
 * or a small part of this one); color repeats whether it is good.
 */
export function Change({ abs, pct, before, format, betterWhen, isRate = false }: ChangeProps) {
  const was = t('{n} before', { n: (format ?? formatNumber)(before) });
  if (abs === 0)
    return (
      <small className={css.change} title={was}>
        {t('No change')}
      </small>
    );
  // The average of an empty set means nothing.
  if (pct === null && format) return <small className={css.change}>{t('No earlier data')}</small>;
  const tone =
    betterWhen === undefined ? undefined : abs > 0 === (betterWhen === 'more') ? 'good' : 'bad';
  const Arrow = abs > 0 ? IconArrowUpRight : IconArrowDownRight;
  const change = changeText({ abs, pct, isRate, isCount: format === undefined });
  return (
    <small className={css.change} data-tone={tone} title={was}>
      <Arrow size={13} aria-hidden />
      {change}
      <Hidden>, {was}</Hidden>
    </small>
  );
}
/** `+12%`, of a rate `+3 points`, and of a count without a value before, or with a small one, `+5`. */
export function changeText({
  abs,
  pct,
  isRate,
  isCount = true,
}: Pick<ChangeProps, 'abs' | 'pct'> & { isRate: boolean; isCount?: boolean }): string {
  if (isRate) return t('{n} points', { n: signed(abs) });
  return pct === null || (isCount && pct > mostPercent) ? signed(abs) : `${signed(pct)}%`;
}
const signed = (n: number): string =>
  n > 0 ? `+${formatNumber(n)}` : `−${formatNumber(Math.abs(n))}`;
