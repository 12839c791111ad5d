import { Alert, Button, Group } from '@mantine/core';
import type { flows } from '#contract';
import { t } from '#ui';
import type { FlowDraft } from './use-flow-draft.ts';

/** Someone else changed the stored draft while this form has changes of its own. */
export function DraftConflict({ flow, draft }: { flow: flows.NumberFlow; draft: FlowDraft }) {
  return (
    <Alert
      color="yellow"
      title={
        flow.draft
          ? t('{name} just changed this draft', { name: flow.draft.edited_by })
          : t('This draft was just published or discarded')
      }
    >
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => draft.replaceWith(flow)}>
          {t('Show theirs')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={draft.keepMine}>
          {t('Keep mine')}
        </Button>
      </Group>
    </Alert>
  );
}
