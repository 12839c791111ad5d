import { useForm } from '@mantine/form';
import { forwarding, routing, type Body } from '#contract';
import { bindFieldErrors, formatPhoneNumber, t, useApiMutation } from '#ui';

export type Contact = forwarding.ForwardContact;
const displayNumber = (number: string | null): string =>
  number === null ? '' : number.startsWith('+') ? formatPhoneNumber(number) : number;
const valuesOf = (c: Contact | null) => ({
  name: c?.name ?? '',
  type: (c?.type ?? 'phone') as Contact['type'],
  number: displayNumber(c?.number ?? null),
  extension: c?.extension ?? '',
  user_id: c?.user_id ? String(c.user_id) : (null as string | null),
  caller_id_pass_thru: c?.caller_id_pass_thru ?? true,
  confirm_key: c?.confirm_key ? String(c.confirm_key) : '',
  tags: c?.tags.map((tag) => tag.name) ?? [],
  notes: c?.notes ?? '',
});
const lists = [
  forwarding.listForwardContacts,
  forwarding.forwardContactStats,
  forwarding.getForwardContact,
  routing.getNumber,
];
type Values = ReturnType<typeof valuesOf>;

/** The form of a forwarding number and the action that saves it; null creates one. */
export function useContactForm(contact: Contact | null, onSaved: () => void) {
  const form = useForm({
    initialValues: valuesOf(contact),
    validate: {
      name: (v) => (v.trim() ? null : t('Enter a name.')),
      number: numberError,
      user_id: (v, { type }) => (type === 'user' && !v ? t('Choose a person.') : null),
    },
  });
  const create = useApiMutation(forwarding.createForwardContact, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: lists,
    success: t('Forwarding number added'),
    onSuccess: onSaved,
  });
  const update = useApiMutation(forwarding.updateForwardContact, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: lists,
    success: t('Forwarding number updated'),
    onSuccess: onSaved,
  });
  const save = (values: Values): void => {
    const body = toRequest(values);
    void (contact ? update.mutate({ params: { id: contact.id }, body }) : create.mutate({ body }));
  };
  return { form, save, isSaving: create.isPending || update.isPending };
}
export type ContactFormState = ReturnType<typeof useContactForm>['form'];

function numberError(number: string, { type }: { type: Contact['type'] }): string | null {
  if (type === 'user' || routing.destinationNumber(number) !== null) return null;
  return type === 'sip'
    ? t('Enter a SIP address, such as sip:desk@example.com.')
    : t('Enter a valid phone number.');
}

// An empty key means that the route decides, which the API calls false.
function toRequest(v: Values): Body<typeof forwarding.createForwardContact> {
  const key = v.confirm_key;
  return {
    name: v.name.trim(),
    type: v.type,
    number: v.type === 'user' ? null : routing.destinationNumber(v.number),
    extension: v.extension.trim() || null,
    user_id: v.type === 'user' ? Number(v.user_id) : null,
    caller_id_pass_thru: v.caller_id_pass_thru,
    confirm_key: key === '' ? false : key.length > 1 ? Number(key) : key,
    tags: v.tags,
    notes: v.notes,
  } as Body<typeof forwarding.createForwardContact>;
}
