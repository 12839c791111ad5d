import { Button, Radio, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { dismissReasons, type DismissReason } from '#contract/monitoring/rules';
import { bindFieldErrors, t } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { reasonLabel, type Alert } from './labels.ts';
import { useUpdateAlerts } from './use-update-alerts.ts';

/** Asks why alerts are dismissed; another reason needs a few words. */
export function DismissForm({
  alerts,
  close,
  done = close,
}: {
  alerts: readonly Alert[];
  close: () => void;
  /** They are dismissed. */
  done?: () => void;
}) {
  const form = useForm({
    initialValues: { reason: 'not-relevant' as DismissReason, comment: '' },
  });
  const { update, isPending } = useUpdateAlerts(bindFieldErrors(form));
  const dismiss = async ({ reason, comment }: typeof form.values): Promise<void> => {
    const change = { state: 'dismissed', reason, ...(comment && { comment }) } as const;
    if (await update(alerts, change)) done();
  };
  return (
    <form onSubmit={form.onSubmit((values) => void dismiss(values))}>
      <Stack gap="sm">
        <Radio.Group label={t('Why?')} {...form.getInputProps('reason')}>
          <Stack gap={6} mt={6}>
            {dismissReasons.map((reason) => (
              <Radio key={reason} value={reason} label={reasonLabel(reason)} />
            ))}
          </Stack>
        </Radio.Group>
        <Textarea
          label={t('Comment')}
          autosize
          minRows={2}
          maxLength={1000}
          {...form.getInputProps('comment')}
        />
        <DialogFooter onCancel={close}>
          <Button type="submit" color="red" loading={isPending}>
            {t('Dismiss')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
