import { Button } from '@mantine/core';
import { formatNumber, StatusBadge, t, Time, type Column } from '#ui';
import { stateName, stateTone, typeName } from './labels.ts';
import type { Run } from './run.ts';

const isGoing = ({ status }: Run): boolean => status === 'running' || status === 'undoing';

const State = ({ run }: { run: Run }) => (
  <StatusBadge tone={stateTone(run.status)}>
    {isGoing(run)
      ? t('{state}, {n}%', { state: stateName(run.status), n: run.progress })
      : stateName(run.status)}
  </StatusBadge>
);

/** The columns of files; `undo` asks first. */
export const runColumns = (
  undo: (run: Run) => Promise<void>,
  isUndoing: boolean,
): Column<Run>[] => [
  {
    key: 'file',
    title: t('File'),
    width: 'minmax(150px, 1.6fr)',
    cell: ({ file }) =>
      file.url ? (
        <a href={`${file.url}&download=1`} onClick={(event) => event.stopPropagation()}>
          {file.name}
        </a>
      ) : (
        file.name
      ),
  },
  { key: 'type', title: t('Changes'), wideOnly: true, cell: (run) => typeName(run.entityType) },
  { key: 'state', title: t('State'), width: '150px', cell: (run) => <State run={run} /> },
  {
    key: 'changed',
    title: t('Changed'),
    width: '90px',
    align: 'end',
    wideOnly: true,
    cell: (run) => formatNumber(run.changed),
  },
  {
    key: 'failed',
    title: t('Errors'),
    width: '80px',
    align: 'end',
    cell: (run) => formatNumber(run.failed),
  },
  { key: 'by', title: t('By'), wideOnly: true, cell: (run) => run.created_by.name || '–' },
  {
    key: 'at',
    title: t('When'),
    width: '110px',
    wideOnly: true,
    cell: (run) => <Time at={run.created_at} as="ago" />,
  },
  {
    key: 'undo',
    title: '',
    width: '84px',
    align: 'end',
    cell: (run) =>
      run.canUndoUntil && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isUndoing}
          aria-label={t('Undo {name}', { name: run.file.name })}
          onClick={(event) => {
            event.stopPropagation();
            void undo(run);
          }}
        >
          {t('Undo')}
        </Button>
      ),
  },
];
