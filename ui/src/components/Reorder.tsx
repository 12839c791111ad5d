import { useRef, useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { t } from '../i18n.ts';
import { Hidden } from './VisuallyHidden.tsx';
import css from './Reorder.module.css';

interface ReorderProps<T> {
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string | number;
  /** Name of the item in announcements. */
  nameOf: (item: T) => string;
  /** Items that can't be moved. */
  fixed?: (item: T) => boolean;
  onMove: (from: number, to: number) => void;
  children: (item: T, index: number) => React.ReactNode;
}

/** Moves items: a step with a key, or to the row under the pointer while dragging. */
function useReorder<T>({ items, nameOf, fixed, onMove }: ReorderProps<T>) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const move = (from: number, to: number): void => {
    const [item, target] = [items[from], items[to]];
    if (item === undefined || target === undefined || from === to || fixed?.(target)) return;
    onMove(from, to);
    setAnnouncement(
      t('{name} is now {place} of {n}', { name: nameOf(item), place: to + 1, n: items.length }),
    );
    requestAnimationFrame(() =>
      list.current?.children[to]?.querySelector<HTMLElement>('[data-grip]')?.focus(),
    );
  };
  const onKey = (e: React.KeyboardEvent, index: number): void => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: items.length - 1 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    move(index, to);
  };
  const followPointer = (e: React.PointerEvent): void => {
    if (dragged === null) return;
    const to = [...(list.current?.children ?? [])].findIndex((row) => {
      const box = row.getBoundingClientRect();
      return e.clientY >= box.top && e.clientY < box.bottom;
    });
    const target = items[to];
    if (to < 0 || to === dragged || target === undefined || fixed?.(target)) return;
    onMove(dragged, to);
    setDragged(to);
  };
  return { list, dragged, setDragged, announcement, onKey, followPointer };
}

/**
 * A list that can be reordered by dragging the handle or with arrow keys on it; moves are announced
 * to screen readers.
 */
export function Reorder<T>(props: ReorderProps<T>) {
  const { label, items, keyOf, nameOf, fixed, children } = props;
  const { list, dragged, setDragged, announcement, onKey, followPointer } = useReorder(props);
  return (
    <>
      <ul ref={list} className={css.list} aria-label={label}>
        {items.map((item, index) => (
          <li key={keyOf(item)} className={css.item} data-dragged={index === dragged || undefined}>
            {fixed?.(item) ? (
              <span className={css.place} />
            ) : (
              <Grip
                name={nameOf(item)}
                onKey={(e) => onKey(e, index)}
                onDrag={(dragging) => setDragged(dragging ? index : null)}
                onPointerMove={followPointer}
              />
            )}
            <div className={css.what}>{children(item, index)}</div>
          </li>
        ))}
      </ul>
      <Hidden>
        <span role="status">{announcement}</span>
      </Hidden>
    </>
  );
}

/** The handle that moves a row by dragging or by arrow keys. */
function Grip({
  name,
  onKey,
  onDrag,
  onPointerMove,
}: {
  name: string;
  onKey: (e: React.KeyboardEvent) => void;
  onDrag: (dragging: boolean) => void;
  onPointerMove: (e: React.PointerEvent) => void;
}) {
  return (
    <ActionIcon
      data-grip
      variant="subtle"
      color="gray"
      size={24}
      className={css.grip ?? ''}
      aria-label={t('Move {name}: arrow keys up and down', { name })}
      onKeyDown={onKey}
      onPointerDown={(e) => {
        if (e.button !== 0) return;
        e.currentTarget.setPointerCapture(e.pointerId);
        onDrag(true);
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => onDrag(false)}
      onPointerCancel={() => onDrag(false)}
    >
      <IconGripVertical size={14} aria-hidden />
    </ActionIcon>
  );
}

/** The list with one item moved. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const next = [...items];
  const [item] = next.splice(from, 1);
  if (item !== undefined) next.splice(to, 0, item);
  return next;
}
