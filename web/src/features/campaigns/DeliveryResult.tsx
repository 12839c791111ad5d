import type { EventFlag } from '#contract/campaigns/rules';
import { formatNumber, t } from '#ui';
import type { Campaign } from './use-campaign-actions.ts';
import css from './DeliveryResult.module.css';

/** A campaign's counts; each filters the recipients. */
export function DeliveryResult({
  campaign: c,
  current,
  onPick,
}: {
  campaign: Campaign;
  current: EventFlag;
  onPick: (flag: EventFlag) => void;
}) {
  const share = (n: number, of: number): string | null =>
    of > 0 ? `${Math.round((100 * n) / of)}%` : null;
  const figures: (readonly [EventFlag, string, number, string | null])[] = [
    ['all', t('People'), c.started ? c.total_count : c.preview_count, null],
    ['pending', t('Waiting'), c.pending_count, null],
    ['sent', t('Sent'), c.sent_count, share(c.sent_count, c.total_count)],
    ['delivered', t('Delivered'), c.delivered_count, share(c.delivered_count, c.sent_count)],
    [
      'undelivered',
      t('Undelivered'),
      c.undelivered_count,
      share(c.undelivered_count, c.sent_count),
    ],
    ['failed', t('Rejected by carrier'), c.failed_count, share(c.failed_count, c.total_count)],
    ['responded', t('Replied'), c.responded_count, share(c.responded_count, c.sent_count)],
    [
      'unsubscribed',
      t('Opted out'),
      c.unsubscriber_count,
      share(c.unsubscriber_count, c.sent_count),
    ],
    ['skipped', t('Skipped'), c.skipped_count, null],
    ...(c.unknown_count > 0 ? [['unknown', t('Unconfirmed'), c.unknown_count, null] as const] : []),
  ];
  return (
    <ul className={css.strip} aria-label={t('Results')}>
      {figures.map(([flag, label, count, part]) => (
        <li key={flag}>
          <button
            type="button"
            className={css.figure}
            aria-pressed={flag === current}
            onClick={() => onPick(flag)}
          >
            <span className={css.count} data-numeric>
              {formatNumber(count)}
              {part && <small>{part}</small>}
            </span>
            <span className={css.label}>{label}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
