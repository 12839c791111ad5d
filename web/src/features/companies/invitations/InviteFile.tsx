import { Alert, Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { invitations } from '#contract';
import { formatPhoneNumber, Modal, t } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { InvitationLinks } from './InvitationLinks.tsx';
import { roleLabel } from './invitation-texts.ts';
import { templateUrl } from './read-people-file.ts';
import { useInviteFile, type CheckedRow } from './use-invite-file.ts';

/** Invites the people of a file, after showing what is wrong with its rows. */
export function InviteFile({ onClose }: { onClose: () => void }) {
  const { problem, rows, links, choose, send, isPending } = useInviteFile(onClose);
  const ready = rows.filter((row) => row.outcome === 'ready').length;
  const left = rows.length - ready;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('Invite people from a file')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Stack gap="sm">
        {links.length > 0 && <InvitationLinks links={links} />}
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {rows.length === 0 && links.length === 0 && (
          <ChooseFile choose={choose} isPending={isPending} />
        )}
        {rows.length > 0 && <CheckedRows rows={rows} />}
        {links.length > 0 ? (
          <Stack align="flex-end">
            <Button onClick={onClose}>{t('Done')}</Button>
          </Stack>
        ) : (
          rows.length > 0 && (
            <>
              {left > 0 && (
                <Text fz="sm" c="dimmed">
                  {t('{n, plural, one {# row isn’t sent} other {# rows aren’t sent}}', { n: left })}
                </Text>
              )}
              <DialogFooter onCancel={onClose}>
                <Button disabled={ready === 0} loading={isPending} onClick={() => void send()}>
                  {t('Send {n, plural, one {# invitation} other {# invitations}}', { n: ready })}
                </Button>
              </DialogFooter>
            </>
          )
        )}
      </Stack>
    </Modal>
  );
}

function ChooseFile({
  choose,
  isPending,
}: {
  choose: (file: File | null) => void;
  isPending: boolean;
}) {
  return (
    <>
      <Text fz="sm">
        {t(
          'A CSV file with the columns Email, First name, Last name, Role and Numbers. Only Email is required. At most {most} people.',
          { most: invitations.mostInvitedAtOnce },
        )}
      </Text>
      <Group gap="md">
        <FileButton onChange={choose} accept=".csv,text/csv">
          {(props) => (
            <Button {...props} loading={isPending}>
              {t('Choose a file')}
            </Button>
          )}
        </FileButton>
        <Anchor href={templateUrl()} download="invite-people.csv" fz="sm">
          {t('Download a template')}
        </Anchor>
      </Group>
    </>
  );
}

/** What happens to each row. */
function CheckedRows({ rows }: { rows: readonly CheckedRow[] }) {
  return (
    <div
      style={{ maxHeight: 360, overflow: 'auto' }}
      tabIndex={0}
      role="region"
      aria-label={t('Rows of the file')}
    >
      <Stack gap="xs">
        {rows.map((row, i) => (
          <div key={i}>
            <Text fz="sm" fw={600}>
              {t('Row {n}: {email}', { n: i + 1, email: row.email || '–' })}
            </Text>
            <Text fz="sm" c={row.outcome === 'refused' ? 'red' : 'dimmed'}>
              {row.outcome === 'pending'
                ? t('Already has an open invitation.')
                : (row.reason ?? accessOf(row))}
            </Text>
          </div>
        ))}
      </Stack>
    </div>
  );
}

const accessOf = ({ role, numbers }: CheckedRow): string =>
  `${roleLabel(role ?? '')} · ${numbers.map((n) => formatPhoneNumber(n.number)).join(', ') || t('All numbers')}`;
