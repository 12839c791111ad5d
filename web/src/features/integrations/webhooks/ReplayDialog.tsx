import { Button, SegmentedControl, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { integrations } from '#contract';
import { bindFieldErrors, Modal, t, toast, useApiMutation, useCompanyId } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import type { Webhook } from './form-values.ts';

/** A moment as a field for date and time has it, in the browser's zone. */
const fieldOf = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
const DAY_MS = 86_400_000;

interface Props {
  webhook: Webhook;
  close: () => void;
}

function useReplay({ webhook, close }: Props) {
  const companyId = useCompanyId() ?? 0;
  const now = new Date();
  const form = useForm({
    initialValues: {
      since: fieldOf(new Date(now.getTime() - 7 * DAY_MS)),
      until: fieldOf(new Date(now.getTime() + 60_000)),
      only: 'undelivered' as 'undelivered' | 'all',
    },
  });
  const { mutate, isPending } = useApiMutation(integrations.replayDeliveries, {
    invalidates: [integrations.listDeliveries],
    onFieldErrors: bindFieldErrors(form),
  });
  const replay = form.onSubmit(async ({ since, until, only }) => {
    if (!since || !until) return form.setFieldError(since ? 'until' : 'since', t('Enter a time.'));
    const answer = await mutate({
      params: { companyId, destinationId: webhook.id },
      body: { since: new Date(since).toISOString(), until: new Date(until).toISOString(), only },
    });
    if (!answer) return;
    toast.success(
      t('{n, plural, =0 {Nothing to replay} one {# event queued} other {# events queued}}', {
        n: answer.data.queued,
      }),
    );
    close();
  });
  return { form, replay, isPending };
}

/** Delivers the events of a period once more. */
export function ReplayDialog(props: Props) {
  const { close } = props;
  const { form, replay, isPending } = useReplay(props);
  return (
    <Modal
      opened
      onClose={close}
      title={t('Replay a period')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={replay} noValidate>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              type="datetime-local"
              label={t('From')}
              data-autofocus
              {...form.getInputProps('since')}
            />
            <TextInput type="datetime-local" label={t('Until')} {...form.getInputProps('until')} />
          </SimpleGrid>
          <SegmentedControl
            aria-label={t('Which events')}
            data={[
              { value: 'undelivered', label: t('Not delivered') },
              { value: 'all', label: t('All') },
            ]}
            {...form.getInputProps('only')}
          />
          <Text size="sm" c="dimmed">
            {t('Events keep their ID, so your receiver can leave out those it has.')}
          </Text>
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isPending}>
              {t('Replay')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}
