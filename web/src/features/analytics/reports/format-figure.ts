import type { CallTarget } from '#contract/analytics/call-analytics/rules';
import { formatDuration, formatMoney, formatNumber, t } from '#ui';

/** A figure of calls in words; an answer rate of no calls is a dash. */
export function formatFigure(target: CallTarget, value: number | null): string {
  if (value === null) return '–';
  if (target === 'answer_rate') return t('{n}%', { n: formatNumber(value) });
  if (target === 'duration') return formatDuration(value);
  if (target === 'value') return formatMoney(value);
  return formatNumber(value);
}
