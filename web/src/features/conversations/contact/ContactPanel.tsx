import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconAddressBook,
  IconArrowLeft,
  IconBan,
  IconCircleCheck,
  IconDots,
  IconPhone,
} from '@tabler/icons-react';
import { conversations } from '#contract';
import { isNumber } from '#contract/party';
import {
  api,
  canCall,
  Facts,
  lazyComponent,
  PersonAvatar,
  PhoneNumber,
  t,
  usePermission,
  useUser,
} from '#ui';
import { partyFor } from '../../../shared/hidden-party.ts';
import { CallerIdentity, callerIdText } from '../../calls/index.ts';
import { StateBadges, useBlockCaller } from '../../compliance/index.ts';
import { callParty } from './call-party.ts';
import { ContactName } from './ContactName.tsx';
import type { Conversation } from '../cache-updates.ts';
import { RecentCalls } from './RecentCalls.tsx';
import { ANONYMOUS, numberLabel, conversationName } from '#ui/messaging/labels.ts';
import css from './ContactPanel.module.css';

const ContactNotes = lazyComponent(
  async () => (await import('../notes/ContactNotes.tsx')).ContactNotes,
);

/** The right pane: the contact, their details, notes and recent calls. */
export function ContactPanel({
  conversation,
  onBack,
}: {
  conversation: Conversation;
  onBack?: (() => void) | undefined;
}) {
  const { contact, recipient } = conversation;
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
        <PanelActions conversation={conversation} />
      </div>
      <PersonDetails conversation={conversation} />
      <ContactNotes conversation={conversation} />
      <RecentCalls conversationId={conversation.id} />
    </div>
  );
}

/** The most frequent actions on a contact; the others are in the menu. */
function PanelActions({ conversation }: { conversation: Conversation }) {
  const { contact, recipient, number, isBlocked } = conversation;
  const user = useUser();
  const showsCall = usePermission('calling.use') && canCall(user) && isNumber(recipient);
  const showsContact = usePermission('contacts.view') && contact !== null;
  const party = partyFor(recipient, `conversation:${conversation.id}`);
  const blocking = useBlockCaller(recipient, party);
  return (
    <div className={css.acts}>
      {showsContact && (
        <Button
          size="compact-md"
          variant="default"
          component="a"
          href={`/contacts/${contact.id}`}
          leftSection={<IconAddressBook size={16} aria-hidden />}
        >
          {t('View contact')}
        </Button>
      )}
      {showsCall && (
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconPhone size={16} aria-hidden />}
          onClick={() => void callParty(number.id, recipient, party)}
        >
          {t('Call')}
        </Button>
      )}
      {blocking.may && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={28} aria-label={t('More actions')}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item
              disabled={blocking.working}
              leftSection={
                isBlocked ? (
                  <IconCircleCheck size={16} aria-hidden />
                ) : (
                  <IconBan size={16} aria-hidden />
                )
              }
              onClick={() => void (isBlocked ? blocking.unblock() : blocking.block())}
            >
              {isBlocked ? t('Unblock') : t('Block')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

/** One word on why the contact can or can't be texted. */
function textingLabel({ isUnsubscribed, isBlocked, whyNotText }: Conversation): string {
  if (isUnsubscribed) return t('Opted out');
  if (isBlocked) return t('Blocked');
  return whyNotText ? t('Unavailable') : t('Allowed');
}

/** The company's number in this conversation, and carrier data about the contact's number. */
function PersonDetails({ conversation }: { conversation: Conversation }) {
  const { contact, recipient, number, latestItem, enhancedCallerId: known } = conversation;
  return (
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
          [t('Texting'), textingLabel(conversation)],
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
      {isNumber(recipient) && latestItem && (
        <CallerIdentity
          known={null}
          ask={async () =>
            (
              await api(
                conversations.lookUpSender,
                { params: { id: latestItem.id } },
                { silent: true },
              )
            ).data
          }
        />
      )}
    </section>
  );
}
