import { campaigns } from '#contract';
import {
  type Column,
  formatNumber,
  formatPhoneNumber,
  PhoneNumber,
  StatusBadge,
  t,
  Time,
} from '#ui';
import { textFailure } from '#ui/messaging/text-failure.ts';
import { recipientName, recipientTone, skipReasonLabel } from '../labels.ts';
import css from '../screens/CampaignEvents.module.css';

type Recipient = campaigns.CampaignEvent;

function Failure({ of: { error_code, error_text } }: { of: Recipient }) {
  const failure = textFailure(error_code, error_text);
  return (
    failure && (
      <small title={[failure.sentence, failure.carrierWords].filter(Boolean).join('\n')}>
        {failure.sentence}
      </small>
    )
  );
}

/** The columns of a campaign's recipients. */
export const recipientColumns = (): Column<Recipient>[] => [
  {
    key: 'contact',
    title: t('Person'),
    width: 'minmax(130px, 1.3fr)',
    cell: (r) => <Person recipient={r} />,
  },
  {
    key: 'state',
    title: t('State'),
    width: 'minmax(150px, 1.2fr)',
    cell: (r) => <State recipient={r} />,
  },
  {
    key: 'reply',
    title: t('Reply'),
    width: 'minmax(90px, 1.4fr)',
    wideOnly: true,
    cell: (r) => <Reply recipient={r} />,
  },
  {
    key: 'segments',
    title: t('Segments'),
    width: '74px',
    align: 'end',
    wideOnly: true,
    cell: (r) => (r.segments === null ? '–' : formatNumber(r.segments)),
  },
  {
    key: 'sent_at',
    title: t('Sent'),
    width: '114px',
    wideOnly: true,
    cell: (r) => (r.sent_at ? <Time at={r.sent_at} as="moment" /> : '–'),
  },
  {
    key: 'delivered_at',
    title: t('Delivered'),
    width: '114px',
    wideOnly: true,
    cell: (r) => (r.delivered_at ? <Time at={r.delivered_at} as="moment" /> : '–'),
  },
];

function Person({ recipient: { contact } }: { recipient: Recipient }) {
  return (
    <span className={css.person}>
      <span>{contact.name || formatPhoneNumber(contact.number)}</span>
      {contact.name && (
        <small>
          <PhoneNumber value={contact.number} />
        </small>
      )}
    </span>
  );
}

function State({ recipient: r }: { recipient: Recipient }) {
  return (
    <span className={css.state}>
      <StatusBadge tone={recipientTone(r.state)}>{recipientName(r.state)}</StatusBadge>
      {r.skip_reason ? <small>{skipReasonLabel(r.skip_reason)}</small> : <Failure of={r} />}
    </span>
  );
}

function Reply({ recipient: r }: { recipient: Recipient }) {
  if (r.unsubscribed_at) return <StatusBadge tone="warn">{t('Opted out')}</StatusBadge>;
  if (!r.reply) return <span className={css.quiet}>–</span>;
  return (
    <span className={css.reply} title={r.reply}>
      {r.reply}
    </span>
  );
}
