import type { Answer, monitoring } from '#contract';
import type { AlertSeverity, AlertState, DismissReason } from '#contract/monitoring/rules';
import { t } from '#ui';

export type Alert = Answer<typeof monitoring.updateAlert>['data'];

/** How grave an alert is, in a word. */
export const severityLabel = (severity: AlertSeverity): string =>
  ({ critical: t('Critical'), warning: t('Warning'), info: t('Info') })[severity];
export const severityTone = { critical: 'danger', warning: 'warn', info: 'info' } as const;

/** What became of an alert, in a word. */
export const stateLabel = (state: AlertState): string =>
  ({
    open: t('Open'),
    acknowledged: t('Acknowledged'),
    resolved: t('Resolved'),
    dismissed: t('Dismissed'),
  })[state];

/** Why an alert was dismissed, as it is chosen. */
export const reasonLabel = (reason: DismissReason): string =>
  ({
    'not-relevant': t('Not relevant (don’t tell me for 30 days)'),
    'already-aware': t('We already know'),
    duplicate: t('Duplicate'),
    other: t('Another reason'),
  })[reason];

/** “56 %” or “5 calls”, with the time it is of. */
export const metricText = ({
  value,
  unit,
  window,
}: {
  value: number;
  unit: string;
  window: string;
}): string =>
  [
    `${value}${unit === '%' ? '%' : ` ${value === 1 ? unit.replace(/s$/, '') : unit}`}`.trim(),
    window,
  ]
    .filter(Boolean)
    .join(', ');
