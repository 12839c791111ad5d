import { useState } from 'react';
import { contacts, conversations } from '#contract';
import { api, ApiError, invalidate, t, toast } from '#ui';
import { cache } from '../session.ts';
import { useRun } from '../use-run.ts';

/** What shows a contact's name. */
export const showContacts = [
  contacts.listContacts,
  conversations.listConversations,
  conversations.getConversation,
];

interface Named {
  id: number;
  name: string;
}
const quietly = { silent: true, idempotencyKey: true } as const;

/** The contact that has the number already, as the error names it; null: it names none. */
function holderIn(problem: unknown): number | null {
  if (!(problem instanceof ApiError) || problem.code !== 'contact.exists') return null;
  const { errors } = problem.body as { errors?: { id?: number }[] };
  return errors?.[0]?.id ?? null;
}

/**
 * Saves a name for a number. Who called or texted is a contact without a name already, which takes
 * it. Where the number has another name, `holder` is that contact: saved again, it is renamed.
 * @param contact the one that is renamed; null: a new one
 */
export function useSaveContact(contact: Named | null, onSaved: () => void) {
  const { run, error, isPending } = useRun();
  const [holder, setHolder] = useState<Named | null>(null);

  const rename = async (contactId: number, name: string): Promise<void> => {
    await api(contacts.updateContact, { params: { contactId }, body: { name } }, quietly);
    done();
  };
  const done = (): void => {
    invalidate(cache, ...showContacts.map((endpoint) => endpoint.name));
    toast.success(t('Contact saved'));
    onSaved();
  };
  const create = async (name: string, number: string): Promise<void> => {
    try {
      await api(contacts.createContact, { body: { name, number } }, quietly);
      done();
    } catch (problem) {
      const contactId = holderIn(problem);
      if (contactId === null) throw problem;
      const { data } = await api(contacts.getContact, { params: { contactId } }, quietly);
      if (data.name) setHolder({ id: contactId, name: data.name });
      else await rename(contactId, name);
    }
  };
  return {
    error,
    isPending,
    holder,
    /** Another number was typed. */
    forgetHolder: () => setHolder(null),
    save: (name: string, number: string) => {
      const known = contact ?? holder;
      run(() => (known ? rename(known.id, name) : create(name, number)));
    },
  };
}
