import { useState } from 'react';
import { Button, Checkbox, Group, Radio, Stack, Text } from '@mantine/core';
import { campaigns } from '#contract';
import { resumeLimits } from '#contract/campaigns/rules';
import { formatNumber, Modal, t, useApiMutation } from '#ui';
import type { Campaign } from './use-campaign-actions.ts';
import { pauseReasonLabel } from './labels.ts';

type Mode = 'continue' | 'retry_failed';

/** Resumes a paused campaign: for which recipients, with a confirmation after a long pause. */
export function ResumeDialog({ campaign: c, close }: { campaign: Campaign; close: () => void }) {
  const [mode, setMode] = useState<Mode>('continue');
  const restedDays = c.paused_at ? (Date.now() - Date.parse(c.paused_at)) / 86_400_000 : 0;
  const long = restedDays > resumeLimits.confirmAfterDays;
  const [sure, setSure] = useState(false);
  const { mutate, isPending } = useApiMutation(campaigns.resumeCampaign, {
    invalidates: [campaigns.listCampaigns, campaigns.getCampaign, campaigns.listCampaignEvents],
    success: t('Campaign resumed'),
    onSuccess: close,
  });
  return (
    <Modal
      opened
      onClose={close}
      title={t('Resume {title}', { title: c.title })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form
        onSubmit={(e) => {
          e.preventDefault();
          void mutate({ params: { id: c.id }, body: { mode, ...(long && { confirm: sure }) } });
        }}
      >
        <Stack gap="sm">
          {c.paused_reason && <Text c="dimmed">{pauseReasonLabel(c.paused_reason)}</Text>}
          <Text>{waitingText(c)}</Text>
          {c.failed_count > 0 && (
            <ModeChoice failed={c.failed_count} value={mode} onChange={setMode} />
          )}
          {long && (
            <Checkbox
              label={t(
                'It was paused for {n, plural, one {# day} other {# days}}. The text still makes sense.',
                { n: Math.floor(restedDays) },
              )}
              checked={sure}
              onChange={(e) => setSure(e.currentTarget.checked)}
            />
          )}
        </Stack>
        <Group justify="flex-end" gap="xs" mt="lg">
          <Button variant="default" onClick={close}>
            {t('Not now')}
          </Button>
          <Button type="submit" loading={isPending} disabled={long && !sure} data-autofocus>
            {t('Resume')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

const waitingText = (c: Campaign): string =>
  c.started
    ? t(
        '{n, plural, one {# person is} other {# people are}} still waiting. No one receives it twice.',
        { n: c.pending_count },
      )
    : t('It hasn’t started yet. {n, plural, one {# person} other {# people}} will receive it.', {
        n: c.preview_count,
      });

function ModeChoice({
  failed,
  value,
  onChange,
}: {
  failed: number;
  value: Mode;
  onChange: (mode: Mode) => void;
}) {
  return (
    <Radio.Group label={t('Recipients')} value={value} onChange={(mode) => onChange(mode as Mode)}>
      <Stack gap={6} mt={6}>
        <Radio value="continue" label={t('Everyone still waiting')} />
        <Radio
          value="retry_failed"
          label={t('Also retry temporary carrier failures')}
          description={t(
            '{n} failed so far. Opted-out, invalid and blocked numbers are never retried.',
            { n: formatNumber(failed) },
          )}
        />
      </Stack>
    </Radio.Group>
  );
}
