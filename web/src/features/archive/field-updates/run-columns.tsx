import { Anchor, Button } from '@mantine/core';
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

const FileLink = ({ file: { name, url } }: Run) =>
  url === null ? (
    name
  ) : (
    <Anchor href={`${url}&download=1`} fz="inherit" onClick={(event) => event.stopPropagation()}>
      {name}
    </Anchor>
  );

const UndoButton = ({ run, undo, isUndoing }: Undoing & { run: Run }) => (
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
);

export interface Undoing {
  /** Asks first. */
  undo: (run: Run) => Promise<void>;
  isUndoing: boolean;
}

/** The columns of the list of files. */
export const runColumns = (undoing: Undoing): Column<Run>[] => [
  {
    key: 'file',
    title: t('File'),
    width: 'minmax(150px, 1.6fr)',
    cell: (run) => <FileLink {...run} />,
  },
  { key: 'type', title: t('Changes'), wideOnly: true, cell: (run) => typeName(run.entityType) },
  { key: 'state', title: t('State'), width: '150px', cell: (run) => <State run={run} /> },
  { ...figure('changed', t('Changed')), wideOnly: true },
  figure('failed', t('Errors')),
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
    cell: (run) => run.canUndoUntil && <UndoButton run={run} {...undoing} />,
  },
];

function figure(key: 'changed' | 'failed', title: string): Column<Run> {
  return { key, title, width: '90px', align: 'end', cell: (run) => formatNumber(run[key]) };
}
