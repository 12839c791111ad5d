import { useState } from 'react';
import { Button, Switch, TextInput } from '@mantine/core';
import { teamwork } from '#contract';
import type { InboxView } from '#contract/conversations/teamwork/schemas';
import { Modal, t, useApiMutation } from '#ui';
import type { InboxFilters } from '../list/use-inbox.ts';
import { viewToFilters } from './views.ts';

/** Asks for the name of a view, to save or rename it. */
export function SaveViewDialog({
  view,
  inbox,
  onClose,
}: {
  view: InboxView | 'new';
  inbox: InboxFilters;
  onClose: () => void;
}) {
  const was = view === 'new' ? null : view;
  const [name, setName] = useState(was?.name ?? '');
  const [shared, setShared] = useState(was?.shared ?? false);
  const [problem, setProblem] = useState<string | null>(null);
  const after = { invalidates: [teamwork.listInboxViews], onSuccess: onClose, silent: true };
  const { mutate: add, isPending } = useApiMutation(teamwork.addInboxView, {
    ...after,
    success: t('View saved'),
  });
  const { mutate: change, isPending: changing } = useApiMutation(teamwork.updateInboxView, {
    ...after,
    success: t('View saved'),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={was ? t('Rename view') : t('Save this view')}
      size="xs"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={async (e) => {
          e.preventDefault();
          const done = was
            ? await change({ params: { id: was.id }, body: { name, shared } })
            : await add({ body: { name, shared, filters: viewToFilters(inbox.filters) } });
          if (!done) setProblem(t('Another view already has this name.'));
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
        <Button
          type="submit"
          fullWidth
          mt="md"
          loading={isPending || changing}
          disabled={!name.trim()}
        >
          {t('Save')}
        </Button>
      </form>
    </Modal>
  );
}
