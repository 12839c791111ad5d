import { useState } from 'react';
import { Button, Switch, TextInput } from '@mantine/core';
import { team } from '#contract';
import type { InboxView } from '#contract/conversations/team/schemas';
import { Modal, t, useApiMutation } from '#ui';
import type { InboxFilters } from '../list/use-inbox.ts';
import { viewToFilters } from './views.ts';

interface SaveViewProps {
  view: InboxView | 'new';
  inbox: InboxFilters;
  onClose: () => void;
}

/** Asks for the name of a view, to save or rename it. */
export function SaveViewDialog({ view, inbox, onClose }: SaveViewProps) {
  const before = view === 'new' ? null : view;
  const [name, setName] = useState(before?.name ?? '');
  const [shared, setShared] = useState(before?.shared ?? false);
  const [problem, setProblem] = useState<string | null>(null);
  const { save, isPending } = useSaveView(before, inbox, onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={before ? t('Rename view') : t('Save this view')}
      size="xs"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={async (e) => {
          e.preventDefault();
          if (!(await save(name, shared))) setProblem(t('Another view already has this name.'));
        }}
      >
        <TextInput
          data-autofocus
          label={t('Name')}
          maxLength={40}
          value={name}
          error={problem}
          onChange={(e) => {
            setName(e.currentTarget.value);
            setProblem(null);
          }}
        />
        <Switch
          mt="sm"
          label={t('Share with everyone in the company')}
          checked={shared}
          onChange={(e) => setShared(e.currentTarget.checked)}
        />
        <Button type="submit" fullWidth mt="md" loading={isPending} disabled={!name.trim()}>
          {t('Save')}
        </Button>
      </form>
    </Modal>
  );
}

/** Renames a view, or saves the current filters as a new one. `save` is null after an error. */
function useSaveView(view: InboxView | null, inbox: InboxFilters, onSuccess: () => void) {
  const options = {
    invalidates: [team.listInboxViews],
    onSuccess,
    silent: true,
    success: t('View saved'),
  };
  const add = useApiMutation(team.addInboxView, options);
  const change = useApiMutation(team.updateInboxView, options);
  return {
    save: (name: string, shared: boolean) =>
      view
        ? change.mutate({ params: { id: view.id }, body: { name, shared } })
        : add.mutate({ body: { name, shared, filters: viewToFilters(inbox.filters) } }),
    isPending: add.isPending || change.isPending,
  };
}
