import { Button, Progress, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react';
import { refusals } from '#contract';
import type { SkipReason } from '#contract/importing-rules';
import { formatNumber, Section, t, Time, trackBatch } from '#ui';
import css from './importing.module.css';
import { reasonName, type Import } from './labels.ts';
import { useUndoImport } from './use-undo-import.ts';

/** An import under way, and what came of it. */
export function ResultStep({ file }: { file: Import }) {
  const { undo, undoing } = useUndoImport();
  const busy = file.state === 'running' || file.state === 'undoing';
  const figures: [string, number, boolean?][] = [
    [t('Rows'), file.rows],
    [t('New'), file.created],
    [t('Changed'), file.updated],
    [t('As they are'), file.unchanged],
    [t('Left out'), file.skipped, file.skipped > 0],
    [t('Imported without something'), file.noted, file.noted > 0],
  ];
  return (
    <Stack gap="md">
      {busy && (
        <Section
          title={file.state === 'undoing' ? t('Taking it back') : t('Importing')}
          about={t(
            'You can leave this page: it goes on, and the corner below tells how far it is.',
          )}
        >
          <Progress
            value={file.state === 'undoing' ? 100 : (file.processed / file.rows) * 100}
            animated={file.state === 'undoing'}
            aria-label={t('Import')}
            mb="xs"
          />
          <Text size="sm" role="status" data-numeric>
            {file.state === 'undoing'
              ? t('Putting back what was changed')
              : t('{processed} of {total} rows', {
                  processed: formatNumber(file.processed),
                  total: formatNumber(file.rows),
                })}
          </Text>
        </Section>
      )}
      {file.state === 'failed' && (
        <div className={css.notice} data-tone="danger" role="alert">
          <p>
            <strong>{t(file.failure ?? refusals['import.failed'].text)}</strong>
          </p>
          <p>
            {t('{n} of {total} rows were imported before. They stay, or you undo them.', {
              n: formatNumber(file.processed),
              total: formatNumber(file.rows),
            })}
          </p>
        </div>
      )}
      <Section
        title={
          file.state === 'undone'
            ? t('What it had done')
            : busy
              ? t('What it did so far')
              : t('What it did')
        }
      >
        <dl className={css.figures}>
          {figures.map(([name, n, warn]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd {...(warn && { 'data-tone': 'warn' })}>{formatNumber(n)}</dd>
            </div>
          ))}
        </dl>
        {file.skipped > 0 && (
          <Text size="sm" mt="sm">
            {t('Left out')}:{' '}
            {Object.entries(file.skippedBy)
              .map(([reason, n]) => `${reasonName(reason as SkipReason)} ${formatNumber(n)}`)
              .join(', ')}
          </Text>
        )}
        {file.state === 'undone' && file.undone && (
          <Text size="sm" mt="sm" role="status">
            {t(
              'Undone: {removed} removed, {restored} put back, {kept} kept because somebody called, texted or edited them.',
              {
                removed: formatNumber(file.undone.removed),
                restored: formatNumber(file.undone.restored),
                kept: formatNumber(file.undone.kept),
              },
            )}
          </Text>
        )}
      </Section>
      {(file.mistakesUrl || file.resultUrl) && !busy && (
        <Section
          title={t('Files')}
          about={
            file.filesUntil ? (
              <>
                {t('Kept until')} <Time at={file.filesUntil} as="day" />
              </>
            ) : undefined
          }
        >
          <div className={css.line}>
            {file.mistakesUrl && (
              <Button
                component="a"
                href={file.mistakesUrl}
                download
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
              >
                {t('Download the rows with mistakes')}
              </Button>
            )}
            {file.resultUrl && (
              <Button
                component="a"
                href={file.resultUrl}
                download
                variant="default"
                leftSection={<IconDownload size={16} aria-hidden />}
              >
                {t('Download the result')}
              </Button>
            )}
          </div>
          {file.mistakesUrl && (
            <Text size="sm" c="dimmed" mt="xs">
              {t('Mend the rows in that file and import it: its columns are known by then.')}
            </Text>
          )}
        </Section>
      )}
      {!busy && (
        <div className={css.foot}>
          <div className={css.line}>
            <Button component="a" href="/contacts">
              {t('Show contacts')}
            </Button>
            <Button component="a" href="/contacts/import" variant="default">
              {t('Import another file')}
            </Button>
          </div>
          {file.canUndoUntil && (
            <Button
              variant="default"
              color="red"
              loading={undoing}
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              onClick={() => void undo(file)}
            >
              {t('Undo this import')}
            </Button>
          )}
        </div>
      )}
    </Stack>
  );
}
/** Put a running import into the corner where long jobs tell how far they are. */
export const trackImport = (file: Import): void => {
  if (file.batchId && file.state === 'running')
    trackBatch({
      id: file.batchId,
      of: 'contacts',
      label: t('Importing {name}', { name: file.fileName }),
      total: file.rows,
    });
};
