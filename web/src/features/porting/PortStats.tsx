import { porting } from '#contract';
import { formatNumber, t, useApiQuery } from '#ui';
import css from '../../shared/StatsStrip.module.css';

/** Counts of port requests; each count filters the list. */
export function PortStats({
  status,
  completed,
  onPick,
}: {
  status: string;
  completed: string;
  onPick: (filter: { status: string; completed: string }) => void;
}) {
  const s = useApiQuery(porting.portStats, {}, { silent: true }).response?.data;
  const figures: readonly (readonly [string, number | undefined, string, string])[] = [
    [t('Drafts'), s?.pending, 'pending', ''],
    [t('Need documents'), s?.documentsRequested, 'documentsRequested', ''],
    [t('With the carrier'), s?.inProgress, 'submitted,inProgress,firmOrderScheduled', ''],
    [t('Rejected'), s?.rejected, 'rejected', ''],
    [t('Ported, 30 days'), s?.completed30d, 'completed', '1'],
  ];
  return (
    <ul className={css.strip} aria-label={t('Port requests summary')}>
      {figures.map(([label, n, picks, done]) => {
        const chosen = status === picks && completed === done;
        return (
          <li key={label}>
            <button
              type="button"
              className={css.figure}
              aria-pressed={chosen}
              onClick={() =>
                onPick(chosen ? { status: '', completed: '' } : { status: picks, completed: done })
              }
            >
              <span className={css.count} data-numeric>
                {n === undefined ? '–' : formatNumber(n)}
              </span>
              <span className={css.label}>{label}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
