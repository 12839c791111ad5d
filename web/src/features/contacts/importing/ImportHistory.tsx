import { Button, Text } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { importing } from '#contract';
import {
  DataList,
  EmptyState,
  formatNumber,
  Section,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  usePageSize,
  type Column,
} from '#ui';
import css from './importing.module.css';
import { rowsText, stateName, stateTone, type Import } from './labels.ts';
import { useUndoImport } from './use-undo-import.ts';

/** Past imports, newest first. */
export function ImportHistory({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const { perPage, onPerPage } = usePageSize('imports', 10, () => onPage(1));
  const { response, error, loading, refetch } = useApiQuery(importing.listContactImports, {
    query: { page, perPage },
  });
  const { undo, undoing } = useUndoImport();
  const columns: Column<Import>[] = [
    { key: 'file', title: t('File'), width: 'minmax(150px, 1.6fr)', cell: (f) => f.fileName },
    {
      key: 'state',
      title: t('State'),
      width: 'minmax(120px, 1fr)',
      cell: (f) => (
        <StatusBadge tone={stateTone(f.state)}>
          {f.state === 'running'
            ? t('{n}%', { n: Math.floor((f.processed / f.rows) * 100) })
            : stateName(f.state)}
        </StatusBadge>
      ),
    },
    {
      key: 'did',
      title: t('Added, updated, skipped'),
      width: 'minmax(150px, 1fr)',
      wideOnly: true,
      cell: (f) =>
        f.state === 'uploaded' ? (
          <Text span c="dimmed" size="sm">
            {rowsText(f.rows)}
          </Text>
        ) : (
          <span data-numeric>
            {[f.created, f.updated, f.skipped].map(formatNumber).join(' · ')}
          </span>
        ),
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
      cell: (f) =>
        f.resultUrl && (
          <a
            className={css.link}
            href={f.resultUrl}
            download
            aria-label={t('Result of {name}', { name: f.fileName })}
            onClick={(e) => e.stopPropagation()}
          >
            {t('Result')}
          </a>
        ),
    },
    {
      key: 'undo',
      title: '',
      width: '84px',
      align: 'end',
      cell: (f) =>
        f.canUndoUntil && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={undoing}
            aria-label={t('Undo the import of {name}', { name: f.fileName })}
            onClick={(e) => {
              e.stopPropagation();
              void undo(f);
            }}
          >
            {t('Undo')}
          </Button>
        ),
    },
  ];
  return (
    <Section title={t('Imports')} plain>
      <DataList
        label={t('Imports')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(f) => f.id}
        rowLabel={(f) => `${f.fileName}, ${stateName(f.state)}`}
        href={(f) => `/contacts/import?import=${f.id}`}
        columns={columns}
        comfortable
        paging={{ page, perPage, onPerPage, meta: response?.meta, onPage }}
        empty={
          <EmptyState
            icon={<IconFileSpreadsheet size={28} stroke={1.5} />}
            title={t('No imports yet')}
          >
            {t(
              'Files you import appear here with the result of each row. You can undo an import for 24 hours.',
            )}
          </EmptyState>
        }
      />
    </Section>
  );
}
