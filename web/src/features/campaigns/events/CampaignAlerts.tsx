import { Alert, Button } from '@mantine/core';
import { t } from '#ui';
import type { Campaign } from '../use-campaign-actions.ts';
import { pauseReasonLabel, resumeLabel } from '../labels.ts';

/** Why a campaign is paused or failed, and contacts who joined its group after it started. */
export function CampaignAlerts({
  campaign: c,
  onCopy,
}: {
  campaign: Campaign;
  /** Absent when the user can't copy the campaign. */
  onCopy: (() => void) | undefined;
}) {
  return (
    <>
      {c.state === 'paused' && (
        <Alert
          color="orange"
          mb="md"
          title={c.paused_by ? t('Paused by {name}', { name: c.paused_by.name }) : t('Paused')}
        >
          {c.paused_reason !== 'by_hand' && <>{pauseReasonLabel(c.paused_reason)} </>}
          {resumeLabel(c)}
        </Alert>
      )}
      {c.state === 'failed' && c.failed_reason && (
        <Alert color="red" mb="md" title={t('Couldn’t be sent')}>
          {c.failed_reason}
        </Alert>
      )}
      {c.joined_since !== null && c.joined_since > 0 && (
        <Alert
          color="accent"
          mb="md"
          title={t(
            '{n, plural, one {# person} other {# people}} joined the group after it started',
            { n: c.joined_since },
          )}
        >
          {t('They won’t receive this campaign.')}{' '}
          {onCopy && (
            <Button size="compact-sm" variant="default" onClick={onCopy}>
              {t('Create a follow-up')}
            </Button>
          )}
        </Alert>
      )}
    </>
  );
}
