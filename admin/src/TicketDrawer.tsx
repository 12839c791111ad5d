import { useState } from 'react';
import { Anchor, Button, Group, Loader, Stack, Text, Textarea } from '@mantine/core';
import { companies, support, type Answer } from '#contract';
import { Drawer, ErrorState, formatPhoneNumber, t, useApiMutation, useApiQuery } from '#ui';
import { Replies } from '#ui/components/Replies.tsx';

type Ticket = Answer<typeof support.getStaffTicket>['data'];
const invalidates = [support.getStaffTicket, support.listAllSupportTickets];

/** A support request of a company: what was said, an answer, who looks after it, its end. */
export function TicketDrawer({ id, close }: { id: number; close: () => void }) {
  const { response, error, refetch } = useApiQuery(
    support.getStaffTicket,
    { params: { id } },
    { silent: true, refetchInterval: 30_000 },
  );
  const ticket = response?.data;
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="40rem"
      title={ticket?.reference ?? t('Request')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {error && !ticket && <ErrorState error={error} retry={refetch} />}
      {!error && !ticket && <Loader aria-label={t('Loading')} />}
      {ticket && (
        <Stack gap="md">
          <Head ticket={ticket} />
          <Replies
            label={t('What was said')}
            items={[
              {
                id: ticket.id,
                who: ticket.user.name,
                isOurs: false,
                message: ticket.message,
                at: ticket.created_at,
              },
              ...ticket.replies.map((reply) => ({
                id: reply.id,
                who: reply.author,
                isOurs: reply.by_staff,
                message: reply.message,
                at: reply.created_at,
              })),
            ]}
          />
          <AnswerForm key={ticket.id} ticket={ticket} />
        </Stack>
      )}
    </Drawer>
  );
}

function Head({ ticket }: { ticket: Ticket }) {
  // Read by the frame already.
  const me = useApiQuery(companies.getUser, {}, { staleTime: 60_000, silent: true }).response?.data
    .id;
  const update = useApiMutation(support.updateStaffTicket, { invalidates });
  const change = (body: { mine?: boolean; status?: 'open' | 'closed' }) =>
    void update.mutate({ params: { id: ticket.id }, body });
  const isMine = ticket.assignee !== null && ticket.assignee.id === me;
  return (
    <Stack gap="xs">
      <Text>
        {ticket.company.name} ·{' '}
        <Anchor href={`mailto:${ticket.user.email}`}>{ticket.user.email}</Anchor>
        {ticket.page_url && ` · ${ticket.page_url}`}
        {ticket.callback_requested &&
          ` · ${t('Call back: {number}', {
            number: ticket.callback_number
              ? formatPhoneNumber(ticket.callback_number)
              : t('no number'),
          })}`}
      </Text>
      <Text c="dimmed" fz="sm">
        {ticket.assignee
          ? t('{name} looks after it.', { name: ticket.assignee.name })
          : t('Not assigned')}
      </Text>
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={() => change({ mine: !isMine })}>
          {isMine ? t('Give back') : t('Assign to me')}
        </Button>
        <Button
          variant="default"
          size="xs"
          onClick={() => change({ status: ticket.status === 'closed' ? 'open' : 'closed' })}
        >
          {ticket.status === 'closed' ? t('Open again') : t('Close')}
        </Button>
      </Group>
    </Stack>
  );
}

function AnswerForm({ ticket: { id, user } }: { ticket: Ticket }) {
  const [message, setMessage] = useState('');
  const answer = useApiMutation(support.replyAsSupport, {
    success: t('Answer sent'),
    invalidates,
    onSuccess: () => setMessage(''),
  });
  const send = (close: boolean) =>
    void answer.mutate({ params: { id }, body: { message: message.trim(), close } });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send(false);
      }}
      noValidate
    >
      <Stack gap="sm">
        <Textarea
          label={t('Your answer')}
          description={t('{name} gets it by email, too.', { name: user.name })}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={support.supportTicketLimits.message}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            disabled={!message.trim()}
            loading={answer.isPending}
            onClick={() => send(true)}
          >
            {t('Send and close')}
          </Button>
          <Button type="submit" disabled={!message.trim()} loading={answer.isPending}>
            {t('Send answer')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
