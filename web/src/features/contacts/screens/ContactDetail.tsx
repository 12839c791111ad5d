import { useState } from 'react';
import { ActionIcon, Button, Menu, Textarea } from '@mantine/core';
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
import { compliance, contacts, conversations, timeline } from '#contract';
import {
  api,
  canCall,
  ErrorState,
  Facts,
  navigate,
  lazyComponent,
  Page,
  PageSkeleton,
  PhoneNumber,
  Section,
  showUndoToast,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  usePermission,
  useApiMutation,
  useUser,
} from '#ui';
import { useIdParam } from '../../../shared/params.ts';
import { openDialler } from '../../calls/index.ts';
import { useBlockCaller } from '../../compliance/index.ts';
import { blockStateOf } from '../block-state.ts';
import { ContactDetails } from '../ContactDetails.tsx';
import { TextButton, ContactTimeline } from '../../conversations/index.ts';
import {
  contactName,
  displayNumber,
  sourceName,
  stateName,
  stateOf,
  stateTone,
  type Contact,
} from '../labels.ts';
import css from '../contacts.module.css';

const MergeDialog = lazyComponent(async () => (await import('../MergeDialog.tsx')).MergeDialog);

const OptOutDialog = lazyComponent(async () => (await import('../OptOutDialog.tsx')).OptOutDialog);

const list = { href: '/contacts', label: t('Contacts') };

/** One contact: details, timeline and actions. */
export default function ContactDetail() {
  const id = useIdParam();
  const { response, error, refetch } = useApiQuery(
    contacts.getContact,
    { params: { contactId: id ?? 0 } },
    { enabled: id !== null },
  );
  if (error && !response)
    return (
      <Page title={t('Contact')} back={list}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    );
  if (!response) return <PageSkeleton />;
  return <ContactView key={response.data.id} contact={response.data} />;
}

function ContactView({ contact: c }: { contact: Contact }) {
  const [merging, setMerging] = useState(false);
  const [optingOut, setOptingOut] = useState(false);
  const mayBlock = usePermission('blocks.edit') && !c.masked;
  const mayText = usePermission('inbox.send') && !c.masked;
  const mayEdit = usePermission('contacts.edit');
  const mayCall = usePermission('calling.use') && canCall(useUser()) && !c.masked;
  const blocking = useBlockCaller(c.number);
  const blocks =
    useApiQuery(
      compliance.listBlocks,
      { query: { search: c.number, perPage: 50 } },
      { enabled: mayBlock, silent: true },
    ).response?.data ?? [];
  const blocked = blockStateOf(blocks, c.number) !== null;
  const state = stateOf(c);
  const restore = useApiMutation(contacts.restoreContact, {
    invalidates: [contacts.listContacts, contacts.getContact],
    success: t('Contact restored'),
  });
  const { mutate: remove } = useApiMutation(contacts.deleteContact, {
    invalidates: [contacts.listContacts],
  });
  const drop = async (): Promise<void> => {
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
  const saveCard = async (): Promise<void> => {
    const card = await api(contacts.contactVcard, { params: { contactId: c.id } }).catch(
      () => null,
    );
    if (!card) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([card.data.vcard], { type: 'text/vcard' }));
    link.download = card.data.name;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <Page
      title={contactName(c)}
      back={list}
      aside={
        <span className={css.badges}>
          {state !== 'active' && (
            <StatusBadge tone={stateTone(state)}>{stateName(state)}</StatusBadge>
          )}
          {blocked && (
            <StatusBadge tone="danger" icon={<IconBan size={14} aria-hidden />}>
              {t('Blocked')}
            </StatusBadge>
          )}
        </span>
      }
      action={
        <div className={css.acts}>
          {mayText && <TextButton contact={c} blocked={blocked} />}
          {mayCall && (
            <Button
              variant="default"
              leftSection={<IconPhone size={16} aria-hidden />}
              onClick={() => openDialler(c.number)}
            >
              {t('Call')}
            </Button>
          )}
          {mayBlock &&
            (blocked ? (
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
            ))}
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon size={36} variant="default" aria-label={t('More')}>
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {mayEdit && (
                <Menu.Item
                  leftSection={<IconArrowMerge size={16} aria-hidden />}
                  onClick={() => setMerging(true)}
                >
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
                  onClick={() => setOptingOut(true)}
                >
                  {c.unsubscribed ? t('Allow texts again') : t('Opt out of texts')}
                </Menu.Item>
              )}
              {!c.masked && (
                <Menu.Item
                  leftSection={<IconAddressBook size={16} aria-hidden />}
                  onClick={() => void saveCard()}
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
            </Menu.Dropdown>
          </Menu>
        </div>
      }
    >
      <div className={css.columns}>
        <div className={css.main}>
          <AddNote contact={c} />
          <ContactTimeline contact={c} />
        </div>
        <aside className={css.side} aria-label={t('About this contact')}>
          <Section title={t('About')}>
            <Facts
              rows={[
                [t('Number'), c.masked ? c.number : <PhoneNumber key="n" value={c.number} copy />],
                c.otherNumbers.length > 0 && [
                  t('Other numbers'),
                  <span key="o">
                    {c.otherNumbers.map((n) => (
                      <span key={n} style={{ display: 'block' }}>
                        {c.masked ? n : <PhoneNumber value={n} copy />}
                      </span>
                    ))}
                  </span>,
                ],
                c.carrier !== null && [t('Carrier'), c.carrier],
                [t('Source'), sourceName(c.source)],
                [t('Added'), <Time key="a" at={c.addedAt} as="instant" />],
                [t('Updated'), <Time key="u" at={c.updatedAt} as="ago" />],
              ]}
            />
          </Section>
          <ContactDetails contact={c} />
        </aside>
      </div>
      {merging && <MergeDialog contact={c} close={() => setMerging(false)} />}
      {optingOut && <OptOutDialog contact={c} close={() => setOptingOut(false)} />}
    </Page>
  );
}

function AddNote({ contact }: { contact: Contact }) {
  const may = usePermission('notes.edit');
  const [text, setText] = useState('');
  const { mutate, isPending } = useApiMutation(conversations.addNote, {
    success: t('Note added'),
    invalidates: [timeline.contactTimeline],
    onSuccess: () => setText(''),
  });
  if (!may) return null;
  const send = (): void => {
    if (text.trim())
      void mutate({ body: { model_type: 'contact', model_id: contact.id, body: text.trim() } });
  };
  return (
    <Section title={t('Note')}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          send();
        }}
      >
        <Textarea
          aria-label={t('Note about {name}', {
            name: contact.name || displayNumber(contact.number),
          })}
          placeholder={t('For your team')}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={5000}
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === 'Enter' && (e.metaKey || e.ctrlKey)) send();
          }}
        />
        {text.trim() && (
          <Button type="submit" variant="default" mt="xs" loading={isPending}>
            {t('Add note')}
          </Button>
        )}
      </form>
    </Section>
  );
}
