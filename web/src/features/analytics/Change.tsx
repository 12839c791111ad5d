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

/**
 * The change of a figure: an arrow and a percentage (or the difference, when the earlier value is
 * 0); color repeats whether it is good.
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
  const change = changeText({ abs, pct, isRate });
  return (
    <small className={css.change} data-tone={tone} title={was}>
      <Arrow size={13} aria-hidden />
      {change}
      <Hidden>, {was}</Hidden>
    </small>
  );
}
/** `+12%`, of a rate `+3 points`, and without a value before `+5`. */
export const changeText = ({
  abs,
  pct,
  isRate,
}: Pick<ChangeProps, 'abs' | 'pct'> & { isRate: boolean }): string =>
  isRate ? t('{n} points', { n: signed(abs) }) : pct === null ? signed(abs) : `${signed(pct)}%`;
const signed = (n: number): string =>
  n > 0 ? `+${formatNumber(n)}` : `−${formatNumber(Math.abs(n))}`;
