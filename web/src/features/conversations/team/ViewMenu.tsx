import { useState } from 'react';
import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { team } from '#contract';
import type { InboxView } from '#contract/conversations/team/schemas';
import { lazyComponent, t, useApiQuery } from '#ui';
import type { InboxFilters } from '../list/use-inbox.ts';
import { sameView, viewToFilters } from './views.ts';
import css from './ViewMenu.module.css';

const ViewMenuItems = lazyComponent(
  async () => (await import('./ViewMenuItems.tsx')).ViewMenuItems,
);
const SaveViewDialog = lazyComponent(
  async () => (await import('./SaveViewDialog.tsx')).SaveViewDialog,
);
const stateTitles = {
  open: 'Inbox',
  unread: 'Unread',
  snoozed: 'Snoozed',
  archived: 'Archived',
  opt_outs: 'Possible opt-outs',
};

/**
 * The list's title as a menu: the current view, other views with their counts, and saving the
 * current one.
 */
export function ViewMenu({
  inbox,
  views,
  counts,
}: {
  inbox: InboxFilters;
  views: readonly InboxView[];
  counts: { open: number; unread: number; snoozed: number; opt_outs: number } | null;
}) {
  const { filters } = inbox;
  const [naming, setNaming] = useState<InboxView | 'new' | null>(null);
  const here = viewToFilters(filters);
  const current = views.find((v) => sameView(v.filters, here));
  const title =
    current?.name ?? t(stateTitles[filters.view as keyof typeof stateTitles] ?? 'Inbox');
  return (
    <>
      <Menu position="bottom-start" width={256}>
        <Menu.Target>
          <button
            type="button"
            className={css.title}
            aria-label={t('View: {name}', { name: title })}
          >
            <span className={css.name}>{title}</span>
            <IconChevronDown size={16} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <ViewMenuItems
            inbox={inbox}
            views={views}
            counts={counts}
            current={current}
            onName={setNaming}
          />
        </Menu.Dropdown>
      </Menu>
      {naming && <SaveViewDialog view={naming} inbox={inbox} onClose={() => setNaming(null)} />}
    </>
  );
}

/** Saved views and counts, for the title and the tabs below it. */
export function useViews() {
  const { response } = useApiQuery(team.listInboxViews, {}, { staleTime: 60_000, silent: true });
  return { views: response?.data ?? [], counts: response?.meta.counts ?? null };
}
