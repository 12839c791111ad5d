import { Button, Progress, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react';
import { apiErrors } from '#contract';
import type { SkipReason } from '#contract/contacts/importing/rules';
import { formatNumber, Section, t, Time, trackBatch } from '#ui';
import { Figures } from './Figures.tsx';
import css from './importing.module.css';
import { reasonName, type Import } from './labels.ts';
import { useUndoImport } from './use-undo-import.ts';

interface FileProps {
  file: Import;
}

/** A running import, and its result. */
export function ResultStep({ file }: FileProps) {
  const busy = file.state === 'running' || file.state === 'undoing';
  const title =
    file.state === 'undone' ? t('Results before undo') : busy ? t('Results so far') : t('Results');
  return (
    <Stack gap="md">
      {busy && <ImportProgress file={file} />}
      {file.state === 'failed' && <Failure file={file} />}
      <Section title={title}>
        <Results file={file} />
      </Section>
      {(file.mistakesUrl || file.resultUrl) && !busy && <Files file={file} />}
      {!busy && <NextSteps file={file} />}
    </Stack>
  );
}

function ImportProgress({ file }: FileProps) {
  const undoing = file.state === 'undoing';
  return (
    <Section
      title={undoing ? t('Undoing import') : t('Importing')}
      about={t(
        'You can leave this page. The import continues, and its progress shows in the corner.',
      )}
    >
      <Progress
        value={undoing ? 100 : (file.processed / file.rows) * 100}
        animated={undoing}
        aria-label={t('Import')}
        mb="xs"
      />
      <Text size="sm" role="status" data-numeric>
        {undoing
          ? t('Restoring previous values')
          : t('{processed} of {total} rows', {
              processed: formatNumber(file.processed),
              total: formatNumber(file.rows),
            })}
      </Text>
    </Section>
  );
}

const Failure = ({ file }: FileProps) => (
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
);

/** The figures, why rows were skipped, and what an undo did. */
function Results({ file }: FileProps) {
  return (
    <>
      <Figures counts={file} />
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
    </>
  );
}

function Files({ file: { mistakesUrl, resultUrl, filesUntil } }: FileProps) {
  const until = filesUntil ? (
    <>
      {t('Available until')} <Time at={filesUntil} as="day" />
    </>
  ) : undefined;
  return (
    <Section title={t('Files')} about={until}>
      <div className={css.line}>
        {mistakesUrl && <Download url={mistakesUrl}>{t('Download rows with errors')}</Download>}
        {resultUrl && <Download url={resultUrl}>{t('Download results')}</Download>}
      </div>
      {mistakesUrl && (
        <Text size="sm" c="dimmed" mt="xs">
          {t(
            'Fix the rows in that file and import it again. The columns will match automatically.',
          )}
        </Text>
      )}
    </Section>
  );
}

const Download = ({ url, children }: { url: string; children: string }) => (
  <Button
    component="a"
    href={url}
    download
    variant="default"
    leftSection={<IconDownload size={16} aria-hidden />}
  >
    {children}
  </Button>
);

/** Where to go from here, and undoing the import while that is possible. */
function NextSteps({ file }: FileProps) {
  const { undo, undoing } = useUndoImport();
  return (
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
