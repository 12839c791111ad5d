import { useEffect, useState } from 'react';
import { ActionIcon, Menu, Select, TextInput } from '@mantine/core';
import { IconDots, IconFileText, IconMessage, IconPhone } from '@tabler/icons-react';
import { normalizePhone } from '#contract/phone';
import { CountBadge, formatPhoneNumber, PersonAvatar, t } from '#ui';
import { HandsetCall } from './HandsetCall.tsx';
import { HandsetFaxes } from './HandsetFaxes.tsx';
import { HandsetTexts } from './HandsetTexts.tsx';
import { updatePhone, removePhone, type HandsetPhone } from './phones.ts';
import type { CompanyNumber } from './sandbox.ts';
import { useHandsetLine } from './use-handset-line.ts';
import { useTexts } from './use-texts.ts';
import css from './HandsetCard.module.css';

const another = 'another';

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
  const [tab, setTab] = useState<'texts' | 'call' | 'fax'>('texts');
  const texts = useTexts(phone.number);
  const line = useHandsetLine(phone.number, phone.says);
  const inBook = known.some((k) => k.number === phone.with);
  const [typing, setTyping] = useState(phone.with !== '' && !inBook && known.length > 0);
  const [typed, setTyped] = useState(phone.with);
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
  const companies = [...new Set(known.map((k) => k.company))];
  const connection = line.snapshot?.connection;

  return (
    <article
      className={css.phone}
      data-ringing={line.line?.state === 'ringing' || undefined}
      aria-label={t('{name}’s phone, {number}', {
        name: phone.name,
        number: formatPhoneNumber(phone.number),
      })}
    >
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
          <span className={css.number}>{formatPhoneNumber(phone.number)}</span>
        </span>
        <span className={css.state} data-on={connection === 'ready' || undefined}>
          {connection === 'ready'
            ? t('Ready')
            : connection === 'refused'
              ? t('No line')
              : t('Connecting')}
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
            <Menu.Item
              disabled={!removable || line.line !== null}
              onClick={() => removePhone(phone.number)}
            >
              {t('Remove this handset')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </header>
      <div className={css.with}>
        <Select
          size="sm"
          aria-label={t('Company number')}
          placeholder={t('Choose a company number')}
          searchable={known.length > 8}
          allowDeselect={false}
          value={typing ? another : inBook ? phone.with : null}
          maxDropdownHeight={320}
          data={[
            ...companies.map((company) => ({
              group: company,
              items: known
                .filter((k) => k.company === company)
                .map((k) => ({
                  value: k.number,
                  label: `${k.label || t('Number')}  ${formatPhoneNumber(k.number)}`,
                })),
            })),
            { group: t('Other'), items: [{ value: another, label: t('Another number') }] },
          ]}
          onChange={(value) => {
            setTyping(value === another);
            if (value && value !== another) updatePhone(phone.number, { with: value });
          }}
        />
        {typing && (
          <TextInput
            size="sm"
            mt={6}
            type="tel"
            aria-label={t('Number to text or call')}
            placeholder="(415) 555-2368"
            value={typed}
            error={typed && !normalizePhone(typed) ? t('Enter ten digits.') : undefined}
            onChange={(e) => {
              setTyped(e.currentTarget.value);
              const number = normalizePhone(e.currentTarget.value);
              if (number) updatePhone(phone.number, { with: number });
            }}
          />
        )}
      </div>
      <div className={css.screen}>
        {showing === 'texts' ? (
          <HandsetTexts phone={phone} texts={texts} known={known} />
        ) : showing === 'fax' ? (
          <HandsetFaxes phone={phone} />
        ) : (
          <HandsetCall phone={phone} line={line} known={known} />
        )}
      </div>
      <div className={css.tabs} role="group" aria-label={t('Texts, calls or faxes')}>
        <button
          type="button"
          className={css.tab}
          aria-pressed={showing === 'texts'}
          disabled={line.line !== null}
          onClick={() => {
            setTab('texts');
            line.forget();
          }}
        >
          <IconMessage size={18} stroke={1.75} aria-hidden />
          {t('Texts')}
          <CountBadge count={unread} label={t('{n} new', { n: unread })} />
        </button>
        <button
          type="button"
          className={css.tab}
          aria-pressed={showing === 'call'}
          onClick={() => setTab('call')}
        >
          <IconPhone size={18} stroke={1.75} aria-hidden />
          {t('Phone')}
        </button>
        <button
          type="button"
          className={css.tab}
          aria-pressed={showing === 'fax'}
          disabled={line.line !== null}
          onClick={() => {
            setTab('fax');
            line.forget();
          }}
        >
          <IconFileText size={18} stroke={1.75} aria-hidden />
          {t('Fax')}
        </button>
      </div>
    </article>
  );
}
