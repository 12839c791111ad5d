import { IconFileSpreadsheet } from '@tabler/icons-react';
import { confirm, DataList, EmptyState, Section, t, useFilters } from '#ui';
import { RunDetails } from './RunDetails.tsx';
import { runColumns } from './run-columns.tsx';
import type { Run } from './run.ts';

type Listing = Pick<
  React.ComponentProps<typeof DataList<Run>>,
  'rows' | 'loading' | 'error' | 'refetch'
>;

/** The last files with their progress; one opens its row errors. */
export function Runs({
  undo,
  isUndoing,
  ...list
}: Listing & { undo: (run: Run) => Promise<unknown>; isUndoing: boolean }) {
  const { filters, set } = useFilters({ open: '' });
  const undoing = { undo: (run: Run) => askAndUndo(run, undo), isUndoing };
  const opened = list.rows?.find((run) => String(run.id) === filters.open);
  return (
    <Section title={t('Last files')} plain>
      <DataList
        {...list}
        label={t('Last files')}
        rowKey={(run) => run.id}
        rowLabel={(run) => run.file.name}
        columns={runColumns(undoing)}
        onOpen={(run) => set({ open: String(run.id) })}
        comfortable
        empty={
          <EmptyState
            icon={<IconFileSpreadsheet size={28} stroke={1.5} />}
            title={t('No files yet')}
          >
            {t(
              'Files you upload appear here with their progress and the rows with errors. You can undo a file for 24 hours.',
            )}
          </EmptyState>
        }
      />
      {opened && <RunDetails run={opened} close={() => set({ open: '' })} {...undoing} />}
    </Section>
  );
}

async function askAndUndo(run: Run, undo: (run: Run) => Promise<unknown>): Promise<void> {
  const yes = await confirm({
    title: t('Undo {name}?', { name: run.file.name }),
    body: t(
      '{n, plural, one {# row} other {# rows}} get the values they had before. Values that were changed again since stay.',
      { n: run.changed },
    ),
    confirmLabel: t('Undo'),
  });
  if (yes) await undo(run);
}
