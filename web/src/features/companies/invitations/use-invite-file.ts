import { useState } from 'react';
import { invitations, type Answer } from '#contract';
import { t, toast, useApiMutation, useCompanyId } from '#ui';
import { readPeopleFile, type PersonRow } from './read-people-file.ts';
import type { InvitationLink } from './use-invite-people.ts';

export type CheckedRow = Answer<typeof invitations.inviteMany>['data'][number];

/**
 * A file of people: read, checked by the server, then sent. `problem`: why the file can't be used,
 * or null. `links` are set where the server can't send mail. `onDone`: everyone was invited.
 */
export function useInviteFile(onDone: () => void) {
  const companyId = useCompanyId() ?? 0;
  const [problem, setProblem] = useState<string | null>(null);
  const [people, setPeople] = useState<PersonRow[]>([]);
  const [rows, setRows] = useState<CheckedRow[]>([]);
  const [links, setLinks] = useState<InvitationLink[]>([]);
  const { mutate, isPending } = useApiMutation(invitations.inviteMany, {
    invalidates: [invitations.listInvitations],
  });
  const params = { companyId };
  const read = async (file: File): Promise<void> => {
    const found = await readPeopleFile(await file.text());
    if (found === null) return setProblem(t('The file has no column named Email.'));
    if (found.length === 0) return setProblem(t('The file has no rows.'));
    if (found.length > invitations.mostInvitedAtOnce)
      return setProblem(
        t('Invite at most {most} people at once.', { most: invitations.mostInvitedAtOnce }),
      );
    setProblem(null);
    const answer = await mutate({ params, body: { rows: found, check: true } });
    if (!answer) return;
    setPeople(found);
    setRows(answer.data);
  };
  const send = async (): Promise<void> => {
    const ready = people.filter((_, i) => rows[i]?.outcome === 'ready');
    const answer = await mutate({ params, body: { rows: ready } });
    if (!answer) return;
    const invited = answer.data.filter((one) => one.outcome === 'invited');
    const made = invited.flatMap(({ email, link }) => (link ? [{ email, link }] : []));
    const refused = answer.data.filter((one) => one.outcome === 'refused');
    setLinks(made);
    setRows(refused);
    if (invited.length && !made.length)
      toast.success(
        t('{n, plural, one {Invitation sent} other {# invitations sent}}', { n: invited.length }),
      );
    if (!made.length && !refused.length) onDone();
  };
  const choose = (file: File | null): void => {
    if (file) void read(file);
  };
  return { problem, rows, links, choose, send, isPending };
}
