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
  ask,
  canCall,
  ErrorState,
  Facts,
  go,
  lazyPart,
  Page,
  PageSkeleton,
  PhoneNumber,
  Section,
  showUndo,
  StatusBadge,
  t,
  Time,
  useAsk,
  useMay,
  useTell,
  useUser,
} from '#ui';
import { useIdParam } from '../app/params.ts';
import { openDialler } from '../features/calls/phone.ts';
import { useBlocking } from '../features/compliance/use-blocking.ts';
import { blockOf } from '../features/contacts/block-state.ts';
import { ContactDetails } from '../features/contacts/ContactDetails.tsx';
import { TextButton } from '../features/conversations/TextButton.tsx';
import { ContactTimeline } from '../features/conversations/ContactTimeline.tsx';
import {
  contactName,
  shownNumber,
  sourceName,
  stateName,
  stateOf,
  stateTone,
  type Contact,
} from '../features/contacts/words.ts';
import css from '../features/contacts/contacts.module.css';

const MergeDialog = lazyPart(
  async () => (await import('../features/contacts/MergeDialog.tsx')).MergeDialog,
);

const OptOutDialog = lazyPart(
  async () => (await import('../features/contacts/OptOutDialog.tsx')).OptOutDialog,
);

const list = { href: '/contacts', label: t('Contacts') };

/** One person: who they are, and everything that was said between us. */
export default function ContactDetail() {
  const id = useIdParam();
  const { answer, refusal, again } = useAsk(
    contacts.getContact,
    { params: { contactId: id ?? 0 } },
    { when: id !== null },
  );
  if (refusal && !answer)
    return (
      <Page title={t('Contact')} back={list}>
        <ErrorState refusal={refusal} again={again} />
      </Page>
    );
  if (!answer) return <PageSkeleton />;
  return <Person key={answer.data.id} contact={answer.data} />;
}

function Person({ contact: c }: { contact: Contact }) {
  const [merging, setMerging] = useState(false);
  const [optingOut, setOptingOut] = useState(false);
  const mayBlock = useMay('blocks.edit') && !c.masked;
  const mayText = useMay('inbox.send') && !c.masked;
  const mayEdit = useMay('contacts.edit');
  const mayCall = useMay('calling.use') && canCall(useUser()) && !c.masked;
  const blocking = useBlocking(c.number);
  const blocks =
    useAsk(
      compliance.listBlocks,
      { query: { search: c.number, perPage: 50 } },
      { when: mayBlock, quiet: true },
    ).answer?.data ?? [];
  const blocked = blockOf(blocks, c.number) !== null;
  const state = stateOf(c);
  const restore = useTell(contacts.restoreContact, {
    touches: [contacts.listContacts, contacts.getContact],
    success: t('Contact was restored'),
  });
  const { tell: remove } = useTell(contacts.deleteContact, { touches: [contacts.listContacts] });
  const drop = async (): Promise<void> => {
    if (!(await remove({ params: { contactId: c.id } }))) return;
    go('/contacts');
    showUndo(
      t('{name} was deleted', { name: contactName(c) }),
      () =>
        void restore.tell({ params: { contactId: c.id } }).then((back) => {
          if (back) go(`/contacts/${c.id}`);
        }),
      12_000,
    );
  };
  const saveCard = async (): Promise<void> => {
    const card = await ask(contacts.contactVcard, { params: { contactId: c.id } }).catch(
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
      beside={
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
                  t('Further numbers'),
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
                [t('Changed'), <Time key="u" at={c.updatedAt} as="ago" />],
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
  const may = useMay('notes.edit');
  const [text, setText] = useState('');
  const { tell, telling } = useTell(conversations.addNote, {
    success: t('Note added'),
    touches: [timeline.contactTimeline],
    done: () => setText(''),
  });
  if (!may) return null;
  const send = (): void => {
    if (text.trim())
      void tell({ body: { model_type: 'contact', model_id: contact.id, body: text.trim() } });
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
          aria-label={t('Note about {name}', { name: contact.name || shownNumber(contact.number) })}
          placeholder={t('For colleagues')}
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
          <Button type="submit" variant="default" mt="xs" loading={telling}>
            {t('Add note')}
          </Button>
        )}
      </form>
    </Section>
  );
}
