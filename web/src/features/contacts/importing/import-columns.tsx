import { Button, Text } from '@mantine/core';
import { formatNumber, StatusBadge, t, Time, type Column } from '#ui';
import css from './importing.module.css';
import { rowsText, stateName, stateTone, type Import } from './labels.ts';
import type { useUndoImport } from './use-undo-import.ts';

/** The columns of the past imports. */
export const importColumns = (undoing: ReturnType<typeof useUndoImport>): Column<Import>[] => [
  { key: 'file', title: t('File'), width: 'minmax(150px, 1.6fr)', cell: (f) => f.fileName },
  {
    key: 'state',
    title: t('State'),
    width: 'minmax(120px, 1fr)',
    cell: (f) => <StateBadge file={f} />,
  },
  {
    key: 'did',
    title: t('Added, updated, skipped'),
    width: 'minmax(150px, 1fr)',
    wideOnly: true,
    cell: (f) => <Counts file={f} />,
  },
  { key: 'by', title: t('By'), wideOnly: true, cell: (f) => f.createdBy?.name ?? '–' },
  {
    key: 'at',
    title: t('When'),
    width: '110px',
    wideOnly: true,
    cell: (f) => <Time at={f.startedAt ?? f.createdAt} as="ago" />,
  },
  {
    key: 'result',
    title: '',
    width: '84px',
    wideOnly: true,
    cell: (f) => f.resultUrl && <ResultLink name={f.fileName} url={f.resultUrl} />,
  },
  {
    key: 'undo',
    title: '',
    width: '84px',
    align: 'end',
    cell: (f) => f.canUndoUntil && <UndoButton file={f} {...undoing} />,
  },
];

const StateBadge = ({ file }: { file: Import }) => (
  <StatusBadge tone={stateTone(file.state)}>
    {file.state === 'running'
      ? t('{n}%', { n: Math.floor((file.processed / file.rows) * 100) })
      : stateName(file.state)}
  </StatusBadge>
);

const Counts = ({ file }: { file: Import }) =>
  file.state === 'uploaded' ? (
    <Text span c="dimmed" size="sm">
      {rowsText(file.rows)}
    </Text>
  ) : (
    <span data-numeric>
      {[file.created, file.updated, file.skipped].map(formatNumber).join(' · ')}
    </span>
  );

const ResultLink = ({ name, url }: { name: string; url: string }) => (
  <a
    className={css.link}
    href={url}
    download
    aria-label={t('Result of {name}', { name })}
    onClick={(e) => e.stopPropagation()}
  >
    {t('Result')}
  </a>
);

function UndoButton({ file, undo, undoing }: ReturnType<typeof useUndoImport> & { file: Import }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      disabled={undoing}
      aria-label={t('Undo the import of {name}', { name: file.fileName })}
      onClick={(e) => {
        e.stopPropagation();
        void undo(file);
      }}
    >
      {t('Undo')}
    </Button>
  );
}
