import { Menu } from '@mantine/core';
import {
  IconArchive,
  IconBookmark,
  IconBookmarkPlus,
  IconCheck,
  IconClockPause,
  IconInbox,
  IconMail,
  IconMessageQuestion,
  IconPencil,
  IconSortAscending,
  IconTrash,
} from '@tabler/icons-react';
import { team } from '#contract';
import type { InboxView } from '#contract/conversations/team/schemas';
import { confirm, showUndoToast, t, useApiMutation } from '#ui';
import type { InboxFilters } from '../list/use-inbox.ts';
import { filtersToView, shownCount, viewToFilters } from './views.ts';
import css from './ViewMenu.module.css';

const states = [
  ['open', 'Inbox', IconInbox],
  ['unread', 'Unread', IconMail],
  ['snoozed', 'Snoozed', IconClockPause],
  ['archived', 'Archived', IconArchive],
  ['opt_outs', 'Possible opt-outs', IconMessageQuestion],
] as const;

/** The entries of the view menu. `current`: the saved view that is shown. */
export function ViewMenuItems({
  inbox,
  views,
  counts,
  current,
  onName,
}: {
  inbox: InboxFilters;
  views: readonly InboxView[];
  counts: { open: number; unread: number; snoozed: number; opt_outs: number } | null;
  current: InboxView | undefined;
  onName: (view: InboxView | 'new') => void;
}) {
  const { filters, set } = inbox;
  const here = viewToFilters(filters);
  const remove = useRemoveView();
  return (
    <>
      {states.map(([key, label, Icon]) => (
        <Menu.Item
          key={key}
          leftSection={<Icon size={16} aria-hidden />}
          rightSection={selectedOrCount(
            !current && filters.view === key,
            key === 'archived' ? null : (counts?.[key] ?? null),
          )}
          onClick={() => set({ view: key, ...(current ? resetView(here, key) : {}) })}
        >
          {t(label)}
        </Menu.Item>
      ))}
      {views.length > 0 && (
        <>
          <Menu.Divider />
          <Menu.Label>{t('Saved views')}</Menu.Label>
        </>
      )}
      {views.map((v) => (
        <Menu.Item
          key={v.id}
          leftSection={<IconBookmark size={16} aria-hidden />}
          rightSection={selectedOrCount(v === current, v.count)}
          onClick={() => set(filtersToView(v.filters))}
        >
          {v.name}
          {!v.shared && <span className={css.own}>{t('only you')}</span>}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconSortAscending size={16} aria-hidden />}
        rightSection={filters.dir === 'asc' ? <IconCheck size={14} aria-label={t('On')} /> : null}
        onClick={() => set({ dir: filters.dir === 'asc' ? 'desc' : 'asc' })}
      >
        {t('Longest waiting first')}
      </Menu.Item>
      <ChangeView current={current} onName={onName} onRemove={(view) => void remove(view)} />
    </>
  );
}

/** Saves the current filters as a view, or renames and removes the saved view. */
function ChangeView({
  current,
  onName,
  onRemove,
}: {
  current: InboxView | undefined;
  onName: (view: InboxView | 'new') => void;
  onRemove: (view: InboxView) => void;
}) {
  return (
    <>
      {!current && (
        <Menu.Item
          leftSection={<IconBookmarkPlus size={16} aria-hidden />}
          onClick={() => onName('new')}
        >
          {t('Save this view')}
        </Menu.Item>
      )}
      {current?.can_change && (
        <Menu.Item
          leftSection={<IconPencil size={16} aria-hidden />}
          onClick={() => onName(current)}
        >
          {t('Rename “{name}”', { name: current.name })}
        </Menu.Item>
      )}
      {current?.can_change && (
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => onRemove(current)}
        >
          {t('Remove “{name}”', { name: current.name })}
        </Menu.Item>
      )}
    </>
  );
}

/** The filters of a state alone, without those of a saved view. */
const resetView = (filters: InboxView['filters'], state: InboxView['filters']['state']) =>
  filtersToView({ ...filters, state, assigned: null, search: '', types: [], numbers: [] });

/** Removes a view, with a confirmation when it is shared; "Undo" adds it again. */
function useRemoveView(): (view: InboxView) => Promise<void> {
  const { mutate: remove } = useApiMutation(team.removeInboxView, {
    invalidates: [team.listInboxViews],
  });
  const { mutate: add } = useApiMutation(team.addInboxView, {
    invalidates: [team.listInboxViews],
  });
  return async (view) => {
    if (
      view.shared &&
      !(await confirm({
        title: t('Remove “{name}” for everyone?', { name: view.name }),
        body: t('Conversations aren’t affected.'),
        confirmLabel: t('Remove'),
        danger: true,
      }))
    )
      return;
    if ((await remove({ params: { id: view.id } })) === null) return;
    showUndoToast(
      t('View removed'),
      () => void add({ body: { name: view.name, filters: view.filters, shared: view.shared } }),
    );
  };
}

/** A check mark for the selected view, otherwise its count; null shows nothing. */
const selectedOrCount = (isSelected: boolean, count: number | null) => {
  if (isSelected) return <IconCheck size={14} aria-label={t('Selected')} />;
  return count === null ? null : <Count n={count} />;
};
const Count = ({ n }: { n: number }) =>
  n > 0 ? <span className={css.count}>{shownCount(n)}</span> : null;
