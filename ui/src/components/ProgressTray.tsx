import { useEffect } from 'react';
import { ActionIcon, Progress } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { pollBatches, batchStore, removeBatch, type Batch } from '../batches.ts';
import { formatNumber } from '../format.ts';
import { useStore } from '../store.ts';
import { t } from '../i18n.ts';
import css from './ProgressTray.module.css';

/** Long-running jobs, bottom right. They survive a reload and disappear 5 s after finishing. */
export default function ProgressTray() {
  const batches = useStore(batchStore, (s) => s.batches);
  const open = batches.some((b) => b.finishedAt === null);
  useEffect(() => {
    if (!open) return;
    void pollBatches();
    const timer = setInterval(() => void pollBatches(), 5000);
    return () => clearInterval(timer);
  }, [open]);
  if (batches.length === 0) return null;
  return (
    <section className={css.tray} data-jobs aria-label={t('Running jobs')}>
      {batches.map((b) => (
        <div key={b.id} className={css.job}>
          <div className={css.line}>
            <span className={css.label}>{b.label}</span>
            <JobState job={b} />
            {b.resultUrl && (
              <a href={b.resultUrl} {...(b.resultUrl.startsWith('/api/') && { download: true })}>
                {t('Result')}
              </a>
            )}
            <ActionIcon
              size={24}
              aria-label={t('Hide {label}', { label: b.label })}
              onClick={() => removeBatch(b.id)}
            >
              <IconX size={14} />
            </ActionIcon>
          </div>
          <Progress
            value={b.progress}
            size={4}
            aria-label={b.label}
            color={b.problem ? 'red' : b.failed > 0 ? 'yellow' : 'accent'}
          />
        </div>
      ))}
    </section>
  );
}

function JobState({ job: b }: { job: Batch }) {
  return (
    <span className={css.state} role="status">
      {b.problem ? (
        <>
          <IconAlertTriangle size={14} aria-hidden /> {t('Failed')}
        </>
      ) : b.finishedAt !== null ? (
        <>
          <IconCheck size={14} aria-hidden />{' '}
          {b.failed > 0
            ? t('Done, {failed} failed', { failed: formatNumber(b.failed) })
            : t('Done')}
        </>
      ) : b.total ? (
        t('{done} of {total}', {
          done: formatNumber(b.processed ?? Math.round((b.total * b.progress) / 100)),
          total: formatNumber(b.total),
        })
      ) : (
        `${Math.round(b.progress)}%`
      )}
    </span>
  );
}
