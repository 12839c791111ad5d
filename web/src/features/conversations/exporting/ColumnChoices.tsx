import { useRef } from 'react';
import { ActionIcon, Button, Checkbox, Group } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react';
import { exportColumns, type ExportEntity } from '#contract/fields/presets/export-columns';
import { t } from '#ui';
import { loadColumnChoice, moveItem, type ColumnChoice } from './column-choice.ts';
import css from './ExportDialog.module.css';

/** Selects and orders the columns of the file, by dragging or with buttons. */
export function ColumnChoices({
  entity,
  columns,
  onChange,
}: {
  entity: ExportEntity;
  columns: ColumnChoice[];
  onChange: (columns: ColumnChoice[]) => void;
}) {
  const titles: Record<string, string> = exportColumns[entity];
  const dragProps = useDragOrder((from, to) => onChange(moveItem(columns, from, to)));
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <span className={css.title} id="export-columns">
          {t('Columns')}
        </span>
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => onChange(loadColumnChoice(entity, true))}
        >
          {t('Default columns')}
        </Button>
      </Group>
      <ul className={css.columns} aria-labelledby="export-columns">
        {columns.map((column, i) => (
          <li key={column.key} className={css.column} {...dragProps(i)}>
            <IconGripVertical size={14} aria-hidden className={css.grip} />
            <Checkbox
              size="xs"
              label={t(titles[column.key] ?? column.key)}
              checked={column.on}
              onChange={(e) =>
                onChange(columns.with(i, { ...column, on: e.currentTarget.checked }))
              }
            />
            <span className={css.grow} />
            <MoveButtons
              title={t(titles[column.key] ?? column.key)}
              isFirst={i === 0}
              isLast={i === columns.length - 1}
              onMove={(by) => onChange(moveItem(columns, i, i + by))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The properties of the list item at a place, which dragging over another place moves. */
function useDragOrder(onMove: (from: number, to: number) => void) {
  const dragged = useRef<number | null>(null);
  return (at: number) => ({
    draggable: true,
    onDragStart: (): void => {
      dragged.current = at;
    },
    onDragOver: (e: React.DragEvent): void => {
      e.preventDefault();
      if (dragged.current === null || dragged.current === at) return;
      onMove(dragged.current, at);
      dragged.current = at;
    },
    onDragEnd: (): void => {
      dragged.current = null;
    },
  });
}

function MoveButtons({
  title,
  isFirst,
  isLast,
  onMove,
}: {
  title: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
}) {
  return (
    <>
      <ActionIcon
        size={24}
        variant="subtle"
        color="gray"
        disabled={isFirst}
        aria-label={t('Move {column} up', { column: title })}
        onClick={() => onMove(-1)}
      >
        <IconArrowUp size={14} />
      </ActionIcon>
      <ActionIcon
        size={24}
        variant="subtle"
        color="gray"
        disabled={isLast}
        aria-label={t('Move {column} down', { column: title })}
        onClick={() => onMove(1)}
      >
        <IconArrowDown size={14} />
      </ActionIcon>
    </>
  );
}
