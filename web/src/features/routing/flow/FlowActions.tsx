import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconDeviceFloppy,
  IconTrash,
} from '@tabler/icons-react';
import type { flows } from '#contract';
import { StatusBadge, t } from '#ui';
import css from './FlowEditor.module.css';
import type { FlowDraft } from './use-flow-draft.ts';
import type { History } from './use-history.ts';

/** Undo, redo, discard, save and publish. */
export function FlowActions({ draft, history }: { draft: FlowDraft; history: History }) {
  return (
    <Group gap="xs" className={css.actions ?? ''}>
      <Tooltip label={t('Undo')}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('Undo')}
          aria-disabled={!history.canUndo}
          onClick={history.undo}
        >
          <IconArrowBackUp size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('Redo')}>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('Redo')}
          aria-disabled={!history.canRedo}
          onClick={history.redo}
        >
          <IconArrowForwardUp size={16} />
        </ActionIcon>
      </Tooltip>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        disabled={!draft.isDraft}
        onClick={() => void draft.discard()}
      >
        {t('Discard')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconDeviceFloppy size={16} aria-hidden />}
        disabled={!draft.isDirty}
        loading={draft.isSaving}
        onClick={() => void draft.save()}
      >
        {t('Save draft')}
      </Button>
      <Button
        disabled={!draft.isDraft}
        loading={draft.isPublishing}
        onClick={() => void draft.publish()}
      >
        {t('Publish')}
      </Button>
    </Group>
  );
}

/** Whether callers meet what is shown: live, or a draft. */
export function FlowStatus({ flow, isDirty }: { flow: flows.NumberFlow; isDirty: boolean }) {
  const { version } = flow.published;
  if (isDirty) return <StatusBadge tone="warn">{t('Unsaved draft')}</StatusBadge>;
  if (flow.draft) return <StatusBadge tone="warn">{t('Draft')}</StatusBadge>;
  return (
    <StatusBadge tone="success">
      {version > 0 ? t('Live, version {n}', { n: version }) : t('Live')}
    </StatusBadge>
  );
}
