import { Alert } from '@mantine/core';
import { statusOf } from '#contract/campaigns/rules';
import { lazyComponent, Page, StatusBadge, t } from '#ui';
import { useOurNumbers } from '../../conversations/index.ts';
import type { Campaign } from '../use-campaign-actions.ts';
import { pauseReasonLabel, statusName, statusTone } from '../labels.ts';
import { ContentSection } from './ContentSection.tsx';
import { EditorActions } from './EditorActions.tsx';
import { PreviewPane } from './PreviewPane.tsx';
import { RecipientsSection } from './RecipientsSection.tsx';
import { ScheduleSection } from './ScheduleSection.tsx';
import { useCampaignEditor } from './use-campaign-editor.ts';
import css from './CampaignForm.module.css';

const TestDialog = lazyComponent(async () => (await import('../TestDialog.tsx')).TestDialog);

/** Creates (null) or edits a campaign, and sends it. */
export function CampaignForm({ campaign }: { campaign: Campaign | null }) {
  const editor = useCampaignEditor(campaign);
  const { form, started, testing } = editor;
  const numbers = useOurNumbers().filter((n) => n.canText);
  const from = numbers.find((n) => String(n.id) === form.values.number_id)?.number;
  const title = campaign ? t('Edit campaign') : t('New campaign');
  return (
    <Page
      title={title}
      tabTitle={campaign ? t('{name} – Edit campaign', { name: campaign.title }) : title}
      back={{ href: '/campaigns', label: t('Campaigns') }}
      aside={campaign && <CampaignStatus campaign={campaign} />}
      action={<EditorActions editor={editor} />}
      keepsHead
    >
      {started && campaign && (
        <Alert color="orange" mb="md" title={t('This campaign has started')}>
          {pauseReasonLabel(campaign.paused_reason)}{' '}
          {t('Texts already sent don’t change. Your edits apply to people still waiting.')}
        </Alert>
      )}
      <div className={css.columns}>
        <form
          className={css.main}
          onSubmit={(e) => {
            e.preventDefault();
            void editor.send();
          }}
          noValidate
        >
          <ContentSection form={form} from={from} />
          <RecipientsSection form={form} started={started} numbers={numbers} />
          <ScheduleSection form={form} zone={editor.zone} quietHours={editor.quietHours} />
        </form>
        <PreviewPane editor={editor} from={from ?? null} />
      </div>
      {testing !== null && <TestDialog id={testing} close={editor.endTest} />}
    </Page>
  );
}

function CampaignStatus({ campaign }: { campaign: Campaign }) {
  const status = statusOf(campaign.state, campaign.should_be_sent_at, new Date());
  return (
    <StatusBadge tone={statusTone(status)}>
      {campaign.approval.state === 'asked'
        ? t('Waiting for approval')
        : statusName(campaign.status)}
    </StatusBadge>
  );
}
