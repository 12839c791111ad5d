import { Button, Group } from '@mantine/core';
import { t, usePermission } from '#ui';
import type { CampaignEditorState } from './use-campaign-editor.ts';

/** Save, test and send, in the top right corner of the form. */
export function EditorActions({ editor }: { editor: CampaignEditorState }) {
  const canSend = usePermission('campaigns.send');
  const { busy, started, testing } = editor;
  return (
    <Group gap="xs" wrap="wrap">
      <Button
        variant="default"
        loading={busy && !testing}
        onClick={() => void editor.saveDraft()}
        disabled={started}
      >
        {t('Save draft')}
      </Button>
      {canSend && (
        <Button variant="default" disabled={busy} onClick={() => void editor.startTest()}>
          {t('Send test')}
        </Button>
      )}
      <Button loading={busy} onClick={() => void editor.send()}>
        {sendLabel(editor)}
      </Button>
    </Group>
  );
}

function sendLabel({ started, needsApproval, form }: CampaignEditorState): string {
  if (started) return t('Save and resume');
  if (needsApproval) return t('Submit for approval');
  return form.values.should_be_sent_at ? t('Schedule') : t('Send');
}
