import { useState } from 'react';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import {
  IconAddressBook,
  IconArrowLeft,
  IconBan,
  IconCircleCheck,
  IconPencil,
  IconPhone,
} from '@tabler/icons-react';
import { contacts, conversations } from '#contract';
import {
  api,
  canCall,
  Facts,
  lazyComponent,
  PersonAvatar,
  PhoneNumber,
  t,
  usePermission,
  useApiMutation,
  useUser,
} from '#ui';
import { CallerIdentity, callerIdText } from '../../calls/index.ts';
import { StateBadges, useBlockCaller } from '../../compliance/index.ts';
import { callParty } from './call-party.ts';
import type { Conversation } from '../cache-updates.ts';
import { RecentCalls } from './RecentCalls.tsx';
import { ANONYMOUS, numberLabel, conversationName, partyName } from '../labels.ts';
import css from './ContactPanel.module.css';

const ContactNotes = lazyComponent(
  async () => (await import('../notes/ContactNotes.tsx')).ContactNotes,
);

/** The right pane: who they are, what we know, what was said about them. */
export function ContactPanel({
  conversation,
  onBack,
}: {
  conversation: Conversation;
  onBack?: (() => void) | undefined;
}) {
  const { contact, recipient, number } = conversation;
  const user = useUser();
  const mayCall = usePermission('calling.use') && canCall(user) && recipient !== ANONYMOUS;
  const maySee = usePermission('contacts.view');
  const blocking = useBlockCaller(recipient);
  const known = conversation.enhancedCallerId;
  return (
    <div className={css.panel}>
      <div className={css.top}>
        {onBack && (
          <h1 className={css.hidden}>
            {t('About {name}', { name: conversationName(conversation) })}
          </h1>
        )}
        {onBack && (
          <ActionIcon
            className={css.back}
            aria-label={t('Back to the conversation')}
            onClick={onBack}
          >
            <IconArrowLeft size={20} />
          </ActionIcon>
        )}
        <PersonAvatar name={contact?.name ?? null} size={56} />
        <ContactName conversation={conversation} />
        {recipient !== ANONYMOUS && contact?.name && (
          <span className={css.number}>
            <PhoneNumber value={recipient} copy />
          </span>
        )}
        <span className={css.badges}>
          <StateBadges
            isBlocked={conversation.isBlocked}
            isOptedOut={conversation.isUnsubscribed}
          />
        </span>
        <div className={css.acts}>
          {contact && maySee && (
            <Button
              size="compact-md"
              variant="default"
              component="a"
              href={`/contacts/${contact.id}`}
              leftSection={<IconAddressBook size={16} aria-hidden />}
            >
              {t('Contact')}
            </Button>
          )}
          {mayCall && (
            <Button
              size="compact-md"
              variant="default"
              leftSection={<IconPhone size={16} aria-hidden />}
              onClick={() => void callParty(number.id, recipient)}
            >
              {t('Call')}
            </Button>
          )}
          {blocking.may &&
            (conversation.isBlocked ? (
              <Button
                size="compact-md"
                variant="default"
                loading={blocking.working}
                leftSection={<IconCircleCheck size={16} aria-hidden />}
                onClick={() => void blocking.unblock()}
              >
                {t('Unblock')}
              </Button>
            ) : (
              <Button
                size="compact-md"
                variant="default"
                loading={blocking.working}
                leftSection={<IconBan size={16} aria-hidden />}
                onClick={() => void blocking.block()}
              >
                {t('Block')}
              </Button>
            ))}
        </div>
      </div>
      <section className={css.part}>
        <h2 className={css.title}>{t('Details')}</h2>
        <Facts
          rows={[
            [
              t('Your number'),
              <span key="n">
                {numberLabel(number)}
                <br />
                <PhoneNumber value={number.number} copy />
              </span>,
            ],
            contact?.companyName ? [t('Company'), contact.companyName] : null,
            [
              t('Texting'),
              conversation.isUnsubscribed
                ? t('Opted out')
                : conversation.isBlocked
                  ? t('Blocked')
                  : conversation.whyNotText
                    ? t('Unavailable')
                    : t('Allowed'),
            ],
            known
              ? [
                  t('Caller identity'),
                  [known.name, ...callerIdText(known.type, known.line_type)]
                    .filter(Boolean)
                    .join(', '),
                ]
              : null,
          ]}
        />
        {recipient !== ANONYMOUS && conversation.latestItem && (
          <CallerIdentity
            known={null}
            ask={async () =>
              (
                await api(
                  conversations.lookUpSender,
                  { params: { id: conversation.latestItem!.id } },
                  { silent: true },
                )
              ).data
            }
          />
        )}
      </section>
      <ContactNotes conversation={conversation} />
      <RecentCalls conversationId={conversation.id} />
    </div>
  );
}

/** The name, changed in place. */
function ContactName({ conversation }: { conversation: Conversation }) {
  const { contact } = conversation;
  const may = usePermission('contacts.edit') && contact !== null;
  const [text, setText] = useState<string | null>(null);
  const { mutate, isPending } = useApiMutation(contacts.updateContact, {
    success: t('Name saved'),
    invalidates: [conversations.getConversation, conversations.listConversations],
  });
  if (text === null) {
    return (
      <span className={css.nameLine}>
        <strong className={css.name}>
          {contact?.name || conversation.recipient === ANONYMOUS ? (
            conversationName(conversation)
          ) : (
            <PhoneNumber value={conversation.recipient} copy />
          )}
        </strong>
        {may && (
          <ActionIcon
            size={24}
            aria-label={t('Change name')}
            onClick={() => setText(contact?.name ?? '')}
          >
            <IconPencil size={14} />
          </ActionIcon>
        )}
      </span>
    );
  }
  return (
    <form
      className={css.naming}
      onSubmit={async (e) => {
        e.preventDefault();
        if (
          text.trim() === (contact?.name ?? '') ||
          (await mutate({ params: { contactId: contact!.id }, body: { name: text.trim() } }))
        )
          setText(null);
      }}
    >
      <TextInput
        data-autofocus
        autoFocus
        size="sm"
        aria-label={t('Name')}
        placeholder={partyName(conversation.recipient)}
        value={text}
        maxLength={120}
        onChange={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape') {
            e.stopPropagation();
            setText(null);
          }
        }}
      />
      <Button type="submit" size="compact-md" loading={isPending}>
        {t('Save')}
      </Button>
    </form>
  );
}
