import { formatNumber, t } from '#ui';
import type { Campaign } from './use-campaign-actions.ts';
import css from './ProgressBar.module.css';

/**
 * Progress and results: delivered, on its way, undelivered or failed, unknown, skipped; the rest is
 * pending.
 */
export function ProgressBar({
  campaign: c,
  size = 'small',
}: {
  campaign: Campaign;
  size?: 'small' | 'large';
}) {
  const total = Math.max(c.total_count, 1);
  const onWay = Math.max(0, c.sent_count - c.delivered_count - c.undelivered_count);
  const parts = [
    ['delivered', c.delivered_count],
    ['way', onWay],
    ['failed', c.undelivered_count + c.failed_count],
    ['unknown', c.unknown_count],
    ['skipped', c.skipped_count],
  ] as const;
  const done = c.total_count - c.pending_count;
  const description = t(
    '{done} of {total} done: {delivered} delivered, {failed} failed, {skipped} skipped',
    {
      done: formatNumber(done),
      total: formatNumber(c.total_count),
      delivered: formatNumber(c.delivered_count),
      failed: formatNumber(c.failed_count + c.undelivered_count),
      skipped: formatNumber(c.skipped_count),
    },
  );
  return (
    <span
      className={css.bar}
      data-size={size}
      role="img"
      aria-label={description}
      title={description}
    >
      {parts.map(([key, count]) =>
        count > 0 ? (
          <span
            key={key}
            className={css.part}
            data-part={key}
            style={{ width: `${(100 * count) / total}%` }}
          />
        ) : null,
      )}
    </span>
  );
}
