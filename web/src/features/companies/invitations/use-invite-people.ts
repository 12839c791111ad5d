import { useRef, useState } from 'react';
import { useForm } from '@mantine/form';
import { invitations } from '#contract';
import { t, toast, useApiMutation, useCompanyId, useUnsavedGuard } from '#ui';
import { addressesIn, isAddress } from './invitation-texts.ts';

/** A link to hand over, where the server can't send mail. */
export interface InvitationLink {
  email: string;
  link: string;
}
interface Failure {
  email: string;
  why: string;
}

const MOST_AT_ONCE = 50;

/**
 * Form and requests of inviting several people. Those who couldn't be invited stay in the form with
 * the reason; `links` are set where the server can't send mail. `onDone`: everyone was invited.
 */
export function useInvitePeople(onDone: () => void) {
  const companyId = useCompanyId() ?? 0;
  const [failures, setFailures] = useState<Failure[]>([]);
  const [links, setLinks] = useState<InvitationLink[]>([]);
  const refusal = useRef('');
  const { mutate, isPending } = useApiMutation(invitations.invitePerson, {
    invalidates: [invitations.listInvitations],
    silent: (error) => {
      refusal.current = error.text;
      return true;
    },
  });
  const form = useForm({
    initialValues: { addresses: '', role: 'user', numbers: [] as string[], message: '' },
    validate: { addresses: (text) => addressProblem(addressesIn(text)) },
  });
  useUnsavedGuard(form.isDirty() && !links.length);
  const send = form.onSubmit(async ({ addresses, role, numbers, message }) => {
    const failed: Failure[] = [];
    const made: InvitationLink[] = [];
    const all = addressesIn(addresses);
    for (const email of all) {
      const answer = await mutate({
        params: { companyId },
        body: {
          email,
          role: role as 'user',
          ...(role !== 'administrator' && numbers.length && { numbers: numbers.map(Number) }),
          ...(message.trim() && { message: message.trim() }),
        },
      });
      if (!answer) failed.push({ email, why: refusal.current });
      else if (answer.data.link) made.push({ email, link: answer.data.link });
    }
    const n = all.length - failed.length;
    if (n && !made.length)
      toast.success(t('{n, plural, one {Invitation sent} other {# invitations sent}}', { n }));
    setFailures(failed);
    setLinks(made);
    if (failed.length) form.setFieldValue('addresses', failed.map((f) => f.email).join('\n'));
    else if (!made.length) onDone();
  });
  return { form, send, failures, links, isPending };
}

function addressProblem(addresses: readonly string[]): string | null {
  if (!addresses.length) return t('Enter at least one email address.');
  if (addresses.length > MOST_AT_ONCE)
    return t('Invite at most {most} people at once.', { most: MOST_AT_ONCE });
  const wrong = addresses.find((address) => !isAddress(address));
  return wrong === undefined ? null : t('“{wrong}” isn’t an email address.', { wrong });
}
