import { Alert, Button, MultiSelect, Select, Stack, Textarea } from '@mantine/core';
import { invitations, numbers } from '#contract';
import { formatPhoneNumber, Modal, t, useApiQuery } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { InvitationLinks } from './InvitationLinks.tsx';
import { roleAbout, roleLabel } from './invitation-texts.ts';
import { useInvitePeople } from './use-invite-people.ts';

/** Invites several people at once, with one role, numbers and message. */
export function InviteDialog({ onClose, onFile }: { onClose: () => void; onFile: () => void }) {
  const { form, send, failures, links, isPending } = useInvitePeople(onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Invite people')}
      size="md"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {links.length > 0 && <InvitationLinks links={links} />}
      {(links.length === 0 || failures.length > 0) && (
        <form onSubmit={send}>
          <Stack gap="sm">
            {failures.length > 0 && (
              <Alert color="red" role="alert" title={t('Not everyone could be invited')}>
                {failures.map(({ email, why }) => (
                  <div key={email}>{t('{email}: {why}', { email, why })}</div>
                ))}
              </Alert>
            )}
            <Textarea
              label={t('Email addresses')}
              description={t('One per line, or separated by commas.')}
              autosize
              minRows={2}
              maxRows={8}
              data-autofocus
              {...form.getInputProps('addresses')}
            />
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={onFile}
              style={{ alignSelf: 'start' }}
            >
              {t('Invite from a file')}
            </Button>
            <Select
              label={t('Role')}
              description={roleAbout(form.values.role)}
              allowDeselect={false}
              data={invitations.invitedRoles.map((r) => ({ value: r, label: roleLabel(r) }))}
              {...form.getInputProps('role')}
            />
            {form.values.role !== 'administrator' && (
              <NumberChoice {...form.getInputProps('numbers')} />
            )}
            <Textarea
              label={t('Message (optional)')}
              description={t('Shown in the email and when they accept.')}
              autosize
              minRows={2}
              maxRows={6}
              maxLength={invitations.INVITATION_MESSAGE_LENGTH}
              {...form.getInputProps('message')}
            />
            <DialogFooter onCancel={onClose}>
              <Button type="submit" loading={isPending}>
                {t('Send invitations')}
              </Button>
            </DialogFooter>
          </Stack>
        </form>
      )}
      {links.length > 0 && failures.length === 0 && (
        <Stack align="flex-end" mt="sm">
          <Button onClick={onClose}>{t('Done')}</Button>
        </Stack>
      )}
    </Modal>
  );
}

function NumberChoice(input: { value?: string[]; onChange?: (value: string[]) => void }) {
  const { response } = useApiQuery(
    numbers.listNumbersOfCompany,
    { params: { id: ':companyId' } },
    { staleTime: 60_000, silent: true },
  );
  return (
    <MultiSelect
      label={t('Numbers')}
      description={t('Which numbers they see. Leave empty for all.')}
      placeholder={input.value?.length ? '' : t('All numbers')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Clear') }}
      data={(response?.data ?? []).map((n) => ({
        value: String(n.id),
        label: n.label || formatPhoneNumber(n.number),
      }))}
      {...input}
    />
  );
}
