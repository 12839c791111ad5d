import { useState } from 'react';
import { Alert, Button, Code, Select, Stack, Text } from '@mantine/core';
import { webhooks as contract } from '#contract';
import { deliveryEvents, type DeliveryEvent } from '#contract/integrations/rules';
import { Modal, t, useApiMutation, useCompanyId } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { eventLabel } from '../../../shared/delivery-labels.ts';
import type { Webhook } from './form-values.ts';
import { readable } from './readable.ts';

/** Sends a made-up event to an endpoint, and shows what came back. */
export function TestDialog({ webhook, close }: { webhook: Webhook; close: () => void }) {
  const companyId = useCompanyId() ?? 0;
  const [event, setEvent] = useState<DeliveryEvent>(webhook.rules[0]?.event ?? 'call.completed');
  const { mutate, data, isPending } = useTest();
  const send = (): void => void mutate({ params: { companyId, id: webhook.id }, body: { event } });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={t('Send a test to {name}', { name: webhook.name })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        <Select
          label={t('Event')}
          allowDeselect={false}
          data-autofocus
          data={deliveryEvents.map((value) => ({ value, label: eventLabel(value) }))}
          value={event}
          onChange={(value) => value && setEvent(value as DeliveryEvent)}
        />
        {data && <Result data={data} />}
        <DialogFooter onCancel={close}>
          <Button loading={isPending} onClick={send}>
            {t('Send test')}
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}

type Tested = NonNullable<Awaited<ReturnType<ReturnType<typeof useSend>['mutate']>>>['data'];
const useSend = () => useApiMutation(contract.testWebhook);
function useTest() {
  const [data, setData] = useState<Tested | null>(null);
  const { mutate, isPending } = useSend();
  return {
    data,
    isPending,
    mutate: async (input: Parameters<typeof mutate>[0]) => {
      const answer = await mutate(input);
      if (answer) setData(answer.data);
    },
  };
}

const Result = ({ data }: { data: Tested }) => (
  <>
    <Alert color={data.taken ? 'green' : 'red'} role="status">
      {data.response_code === null
        ? data.error
        : t('Answered with status {code} after {ms} ms', {
            code: String(data.response_code),
            ms: String(data.duration_ms),
          })}
    </Alert>
    {data.response_excerpt && (
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {data.response_excerpt}
      </Code>
    )}
    <Text size="sm" fw={600}>
      {t('What was sent')}
    </Text>
    <Code
      block
      tabIndex={0}
      style={{ maxHeight: 240, overflow: 'auto', whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {readable(data.request)}
    </Code>
  </>
);
