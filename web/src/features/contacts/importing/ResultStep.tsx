import { Button, Progress, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react';
import { apiErrors } from '#contract';
import type { SkipReason } from '#contract/contacts/importing/rules';
import { formatNumber, Section, t, Time, trackBatch } from '#ui';
import css from './importing.module.css';
import { reasonName, type Import } from './labels.ts';
import { useUndoImport } from './use-undo-import.ts';

/** A running import, and its result. */
export function ResultStep({ file }: { file: Import }) {
  const { undo, undoing } = useUndoImport();
  const busy = file.state === 'running' || file.state === 'undoing';
  const figures: [string, number, boolean?][] = [
    [t('Rows'), file.rows],
    [t('New'), file.created],
    [t('Updated'), file.updated],
    [t('Unchanged'), file.unchanged],
    [t('Skipped'), file.skipped, file.skipped > 0],
    [t('Partially imported'), file.noted, file.noted > 0],
  ];
  return (
    <Stack gap="md">
      {busy && (
        <Section
          title={file.state === 'undoing' ? t('Undoing import') : t('Importing')}
          about={t(
            'You can leave this page. The import continues, and its progress shows in the corner.',
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
              ? t('Restoring previous values')
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
            <strong>{file.failure ?? t(apiErrors['import.failed'].text)}</strong>
          </p>
          <p>
            {t('{n} of {total} rows were imported. Keep them, or undo the import.', {
              n: formatNumber(file.processed),
              total: formatNumber(file.rows),
            })}
          </p>
        </div>
      )}
      <Section
        title={
          file.state === 'undone'
            ? t('Results before undo')
            : busy
              ? t('Results so far')
              : t('Results')
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
            {t('Skipped')}:{' '}
            {Object.entries(file.skippedBy)
              .map(([reason, n]) => `${reasonName(reason as SkipReason)} ${formatNumber(n)}`)
              .join(', ')}
          </Text>
        )}
        {file.state === 'undone' && file.undone && (
          <Text size="sm" mt="sm" role="status">
            {t(
              'Undone: {removed} removed, {restored} restored, {kept} kept because they were called, texted or edited.',
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
                {t('Available until')} <Time at={file.filesUntil} as="day" />
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
                {t('Download rows with errors')}
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
                {t('Download results')}
              </Button>
            )}
          </div>
          {file.mistakesUrl && (
            <Text size="sm" c="dimmed" mt="xs">
              {t(
                'Fix the rows in that file and import it again. The columns will match automatically.',
              )}
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
/** Shows a running import in the progress tray. */
export const trackImport = (file: Import): void => {
  if (file.batchId && file.state === 'running')
    trackBatch({
      id: file.batchId,
      of: 'contacts',
      label: t('Importing {name}', { name: file.fileName }),
      total: file.rows,
    });
};
