import { useEffect, useState } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import { IconCheck, IconDots, IconFileText, IconMessage, IconPhone } from '@tabler/icons-react';
import { CountBadge, formatPhoneNumber, PersonAvatar, t } from '#ui';
import { CompanyNumberField } from './CompanyNumberField.tsx';
import { HandsetCall } from './HandsetCall.tsx';
import { HandsetFaxes } from './HandsetFaxes.tsx';
import { HandsetTexts } from './HandsetTexts.tsx';
import { updatePhone, removePhone, type HandsetPhone } from './phones.ts';
import type { CompanyNumber } from './sandbox.ts';
import { SpamReportItem } from './SpamReportItem.tsx';
import { useHandsetLine, type HandsetLine } from './use-handset-line.ts';
import { useTexts } from './use-texts.ts';
import css from './HandsetCard.module.css';

type HandsetTab = 'texts' | 'call' | 'fax';
const connectionLabels: Record<string, string> = { ready: 'Ready', refused: 'No line' };

/** One outside phone: its texts, calls and faxes. */
export function HandsetCard({
  phone,
  known,
  removable,
}: {
  phone: HandsetPhone;
  known: readonly CompanyNumber[];
  removable: boolean;
}) {
  const [tab, setTab] = useState<HandsetTab>('texts');
  const texts = useTexts(phone.number, phone.shows);
  const line = useHandsetLine(phone.number, phone.says, phone.shows);
  const [seen, setSeen] = useState<number | null>(null);
  const lastIn = texts.texts.findLast((m) => m.direction === 'received')?.id ?? 0;
  // Texts from before the page was opened are not unread.
  if (seen === null && texts.texts.length > 0) setSeen(lastIn);
  const showing = line.line ? 'call' : tab;
  const unread = texts.texts.filter(
    (m) => m.direction === 'received' && m.id > (seen ?? lastIn),
  ).length;
  if (showing === 'texts' && seen !== null && lastIn > seen) setSeen(lastIn);
  // After a call the phone tab shows how it ended, whichever tab was open before.
  const inCall = line.line !== null;
  useEffect(() => {
    if (inCall) setTab('call');
  }, [inCall]);
  const openTab = (next: HandsetTab): void => {
    setTab(next);
    if (next !== 'call') line.forget();
  };

  return (
    <article
      className={css.phone}
      data-ringing={line.line?.state === 'ringing' || undefined}
      aria-label={t('{name}’s phone, {number}', {
        name: phone.name,
        number: formatPhoneNumber(phone.number),
      })}
    >
      <CardHeader phone={phone} line={line} removable={removable} />
      <CompanyNumberField phone={phone} known={known} />
      <div className={css.screen}>
        {showing === 'texts' && <HandsetTexts phone={phone} texts={texts} known={known} />}
        {showing === 'fax' && <HandsetFaxes phone={phone} />}
        {showing === 'call' && <HandsetCall phone={phone} line={line} known={known} />}
      </div>
      <CardTabs showing={showing} unread={unread} inCall={inCall} onTab={openTab} />
    </article>
  );
}

/** What a phone can show instead of its number: nothing, a short code, or a sender name. */
const senders = ['anonymous', '68849', 'ACMEBANK'];
const shownAs = (sender: string | undefined): string => {
  if (!sender) return t('Its number');
  return sender === 'anonymous' ? t('Withheld number') : sender;
};
function SenderItems({ phone }: { phone: HandsetPhone }) {
  return (
    <>
      <Menu.Label>{t('Calls and texts show')}</Menu.Label>
      {[undefined, ...senders].map((sender) => (
        <Menu.Item
          key={sender ?? ''}
          role="menuitemradio"
          aria-checked={phone.shows === sender}
          leftSection={
            <IconCheck
              size={14}
              aria-hidden
              visibility={phone.shows === sender ? undefined : 'hidden'}
            />
          }
          onClick={() => updatePhone(phone.number, { shows: sender })}
        >
          {shownAs(sender)}
        </Menu.Item>
      ))}
    </>
  );
}

/** Name, number, connection and menu of an outside phone. */
function CardHeader({
  phone,
  line,
  removable,
}: {
  phone: HandsetPhone;
  line: HandsetLine;
  removable: boolean;
}) {
  const connection = line.snapshot?.connection;
  return (
    <header className={css.head}>
      <PersonAvatar name={phone.name} size={34} />
      <span className={css.who}>
        <input
          className={css.name}
          aria-label={t('Name of this handset')}
          value={phone.name}
          maxLength={30}
          onChange={(e) => updatePhone(phone.number, { name: e.currentTarget.value })}
        />
        <span className={css.number}>
          {formatPhoneNumber(phone.number)}
          {phone.shows && ` · ${shownAs(phone.shows)}`}
        </span>
      </span>
      <span className={css.state} data-on={connection === 'ready' || undefined}>
        {t(connectionLabels[connection ?? ''] ?? 'Connecting')}
      </span>
      <Menu>
        <Menu.Target>
          <ActionIcon size={28} aria-label={t('Handset options')}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void navigator.clipboard?.writeText(phone.number)}>
            {t('Copy its number')}
          </Menu.Item>
          <SenderItems phone={phone} />
          <Menu.Divider />
          <SpamReportItem phone={phone} />
          <Menu.Divider />
          <Menu.Item
            disabled={!removable || line.line !== null}
            onClick={() => removePhone(phone.number)}
          >
            {t('Remove this handset')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </header>
  );
}

/** Texts, phone and fax; only the phone can be opened during a call. */
function CardTabs({
  showing,
  unread,
  inCall,
  onTab,
}: {
  showing: HandsetTab;
  unread: number;
  inCall: boolean;
  onTab: (tab: HandsetTab) => void;
}) {
  return (
    <div className={css.tabs} role="group" aria-label={t('Texts, calls or faxes')}>
      <button
        type="button"
        className={css.tab}
        aria-pressed={showing === 'texts'}
        disabled={inCall}
        onClick={() => onTab('texts')}
      >
        <IconMessage size={18} stroke={1.75} aria-hidden />
        {t('Texts')}
        <CountBadge count={unread} label={t('{n} new', { n: unread })} />
      </button>
      <button
        type="button"
        className={css.tab}
        aria-pressed={showing === 'call'}
        onClick={() => onTab('call')}
      >
        <IconPhone size={18} stroke={1.75} aria-hidden />
        {t('Phone')}
      </button>
      <button
        type="button"
        className={css.tab}
        aria-pressed={showing === 'fax'}
        disabled={inCall}
        onClick={() => onTab('fax')}
      >
        <IconFileText size={18} stroke={1.75} aria-hidden />
        {t('Fax')}
      </button>
    </div>
  );
}
