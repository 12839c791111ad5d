import { Button, Group, Loader, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { support } from '#contract';
import {
  bindFieldErrors,
  Drawer,
  ErrorState,
  t,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  useUnsavedGuard,
} from '#ui';
import { Replies } from '#ui/components/Replies.tsx';
import { TicketStatus } from './TicketStatus.tsx';

/** One of the person's requests: what was said, a reply, and its end. */
export function TicketDrawer({ id, close }: { id: number; close: () => void }) {
  const params = { companyId: useCompanyId() ?? 0, ticketId: id };
  const { response, error, refetch } = useApiQuery(
    support.getSupportTicket,
    { params },
    { silent: true },
  );
  const ticket = response?.data;
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="36rem"
      title={ticket ? t('Request {reference}', { reference: ticket.reference }) : t('Request')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {error && !ticket && (
        <ErrorState error={error} retry={refetch} notFound={t('Request not found')} />
      )}
      {!error && !ticket && <Loader aria-label={t('Loading')} />}
      {ticket && (
        <Stack gap="md">
          <div>
            <TicketStatus status={ticket.status} />
          </div>
          <Replies
            label={t('What was said')}
            items={[
              {
                id: ticket.id,
                who: t('You'),
                isOurs: true,
                message: ticket.message,
                at: ticket.created_at,
              },
              ...ticket.replies.map((reply) => ({
                id: reply.id,
                who: reply.by_staff ? t('Support') : t('You'),
                isOurs: !reply.by_staff,
                message: reply.message,
                at: reply.created_at,
              })),
            ]}
          />
          <ReplyForm key={ticket.id} params={params} status={ticket.status} />
        </Stack>
      )}
    </Drawer>
  );
}

function ReplyForm({
  params,
  status,
}: {
  params: { companyId: number; ticketId: number };
  status: 'open' | 'answered' | 'closed';
}) {
  const form = useForm({
    initialValues: { message: '' },
    validate: { message: (text) => (text.trim() ? null : t('Write a reply.')) },
  });
  useUnsavedGuard(form.isDirty());
  const invalidates = [support.getSupportTicket, support.listSupportTickets];
  const reply = useApiMutation(support.replyToSupport, {
    success: t('Reply sent'),
    onFieldErrors: bindFieldErrors(form),
    invalidates,
    onSuccess: () => form.reset(),
  });
  const end = useApiMutation(support.closeSupportTicket, {
    success: t('Request closed'),
    invalidates,
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        ({ message }) => void reply.mutate({ params, body: { message: message.trim() } }),
      )}
    >
      <Stack gap="sm">
        <Textarea
          label={t('Your reply')}
          description={status === 'closed' ? t('A reply opens the request again.') : undefined}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={support.supportTicketLimits.message}
          {...form.getInputProps('message')}
        />
        <Group justify="flex-end" gap="xs">
          {status !== 'closed' && (
            <Button
              variant="default"
              loading={end.isPending}
              onClick={() => void end.mutate({ params })}
            >
              {t('Close request')}
            </Button>
          )}
          <Button type="submit" loading={reply.isPending}>
            {t('Send reply')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
