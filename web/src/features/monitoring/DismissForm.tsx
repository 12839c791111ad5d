import { Button, Radio, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { monitoring, sentences } from '#contract';
import type { AnyEndpoint } from '#contract/kit';
import { dismissReasons, type DismissReason } from '#contract/monitoring/rules';
import { bindFieldErrors, t, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { reasonLabel, type Alert } from './labels.ts';

/** Asks why an alert is dismissed; another reason needs a few words. */
export function DismissForm({
  alert,
  invalidates,
  close,
}: {
  alert: Alert;
  invalidates: readonly AnyEndpoint[];
  close: () => void;
}) {
  const form = useForm({
    initialValues: { reason: 'not-relevant' as DismissReason, comment: '' },
  });
  const { mutate, isPending } = useApiMutation(monitoring.updateAlert, {
    success: t(sentences.alertUpdated),
    invalidates: [...invalidates],
    onFieldErrors: bindFieldErrors(form),
    onSuccess: close,
  });
  return (
    <form
      onSubmit={form.onSubmit(({ reason, comment }) => {
        const body = {
          company_id: alert.company.id,
          state: 'dismissed',
          reason,
          ...(comment && { comment }),
        } as const;
        void mutate({ params: { id: alert.id }, body });
      })}
    >
      <Stack gap="sm">
        <Radio.Group label={t('Why do you dismiss it?')} {...form.getInputProps('reason')}>
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
