import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconAddressBook,
  IconArrowMerge,
  IconBan,
  IconCircleCheck,
  IconDots,
  IconMessage,
  IconMessageOff,
  IconPhone,
  IconTrash,
} from '@tabler/icons-react';
import { contacts } from '#contract';
import {
  api,
  canCall,
  navigate,
  showUndoToast,
  t,
  usePermission,
  useApiMutation,
  useUser,
} from '#ui';
import { partyFor } from '../../../../shared/hidden-party.ts';
import { openDialler } from '../../../calls/index.ts';
import { useBlockCaller } from '../../../compliance/index.ts';
import { TextButton } from '../../../conversations/index.ts';
import { contactName, type Contact } from '../../labels.ts';
import { ErasureItems } from '../../erasing/ErasureItems.tsx';
import css from '../../contacts.module.css';

interface DialogProps {
  contact: Contact;
  onMerge: () => void;
  onOptOut: () => void;
  isHeld: boolean;
}

/** The actions on a contact. `mayBlock`: whether the user can block its number. */
export function ContactActions({
  mayBlock,
  blocked,
  ...dialogs
}: DialogProps & { mayBlock: boolean; blocked: boolean }) {
  const c = dialogs.contact;
  const mayText = usePermission('inbox.send');
  const user = useUser();
  const mayCall = usePermission('calling.use') && canCall(user);
  return (
    <div className={css.acts}>
      {mayText && <TextButton contact={c} blocked={blocked} />}
      {mayCall && (
        <Button
          variant="default"
          leftSection={<IconPhone size={16} aria-hidden />}
          onClick={() => openDialler(c.number, null, partyFor(c.number, `contact:${c.id}`))}
        >
          {t('Call')}
        </Button>
      )}
      {mayBlock && <BlockButton contact={c} blocked={blocked} />}
      <ContactMenu {...dialogs} />
    </div>
  );
}

function BlockButton({ contact: c, blocked }: { contact: Contact; blocked: boolean }) {
  const blocking = useBlockCaller(c.number, partyFor(c.number, `contact:${c.id}`));
  return blocked ? (
    <Button
      variant="default"
      loading={blocking.working}
      leftSection={<IconCircleCheck size={16} aria-hidden />}
      onClick={() => void blocking.unblock()}
    >
      {t('Unblock')}
    </Button>
  ) : (
    <Button
      variant="default"
      loading={blocking.working}
      leftSection={<IconBan size={16} aria-hidden />}
      onClick={() => void blocking.block()}
    >
      {t('Block')}
    </Button>
  );
}

function ContactMenu({ contact: c, onMerge, onOptOut, isHeld }: DialogProps) {
  const mayEdit = usePermission('contacts.edit');
  const mayErase = usePermission('person.erase');
  const drop = useDeleteContact(c);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={36} variant="default" aria-label={t('More')}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayEdit && (
          <Menu.Item leftSection={<IconArrowMerge size={16} aria-hidden />} onClick={onMerge}>
            {t('Merge with another contact')}
          </Menu.Item>
        )}
        {mayEdit && (
          <Menu.Item
            leftSection={
              c.unsubscribed ? (
                <IconMessage size={16} aria-hidden />
              ) : (
                <IconMessageOff size={16} aria-hidden />
              )
            }
            onClick={onOptOut}
          >
            {c.unsubscribed ? t('Allow texts again') : t('Opt out of texts')}
          </Menu.Item>
        )}
        {!c.masked && (
          <Menu.Item
            leftSection={<IconAddressBook size={16} aria-hidden />}
            onClick={() => void saveCard(c)}
          >
            {t('Save as a vCard')}
          </Menu.Item>
        )}
        {mayEdit && (
          <Menu.Item
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => void drop()}
          >
            {t('Delete contact')}
          </Menu.Item>
        )}
        {mayErase && <ErasureItems isHeld={isHeld} />}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Deletes the contact and returns to the list; "Undo" restores it. */
function useDeleteContact(c: Contact): () => Promise<void> {
  const restore = useApiMutation(contacts.restoreContact, {
    invalidates: [contacts.listContacts, contacts.getContact],
    success: t('Contact restored'),
  });
  const { mutate: remove } = useApiMutation(contacts.deleteContact, {
    invalidates: [contacts.listContacts],
  });
  return async () => {
    if (!(await remove({ params: { contactId: c.id } }))) return;
    navigate('/contacts');
    showUndoToast(
      t('{name} was deleted', { name: contactName(c) }),
      () =>
        void restore.mutate({ params: { contactId: c.id } }).then((back) => {
          if (back) navigate(`/contacts/${c.id}`);
        }),
      12_000,
    );
  };
}

/** Downloads the contact as a vCard file. */
async function saveCard(c: Contact): Promise<void> {
  const card = await api(contacts.contactVcard, { params: { contactId: c.id } }).catch(() => null);
  if (!card) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([card.data.vcard], { type: 'text/vcard' }));
  link.download = card.data.name;
  link.click();
  URL.revokeObjectURL(link.href);
}
