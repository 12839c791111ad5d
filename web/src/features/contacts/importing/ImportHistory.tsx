import { IconFileSpreadsheet } from '@tabler/icons-react';
import { importing } from '#contract';
import { DataList, EmptyState, Section, t, useApiQuery, usePageSize } from '#ui';
import { importColumns } from './import-columns.tsx';
import { stateName } from './labels.ts';
import { useUndoImport } from './use-undo-import.ts';

/** Past imports, newest first. */
export function ImportHistory({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const { perPage, onPerPage } = usePageSize('imports', 10, () => onPage(1));
  const { response, error, loading, refetch } = useApiQuery(importing.listContactImports, {
    query: { page, perPage },
  });
  const columns = importColumns(useUndoImport());
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
