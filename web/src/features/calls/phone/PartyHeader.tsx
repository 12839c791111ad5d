import { formatPhoneNumber, PersonAvatar, t } from '#ui';
import type { Line } from '#ui/phone/media-client.ts';
import css from './CallPanel.module.css';
import type { CallInfo } from './phone-state.ts';

interface Party {
  /** Contact or caller name; null when only the number is known. */
  name: string | null;
  /** As people read it. */
  number: string;
}

/** The other side of a call, from what the server knows (`info`) or at first only the line. */
function partyOf(line: Line, info: CallInfo | undefined): Party {
  const known = info?.outbound ? info.to : info?.from;
  const raw = (info ? known : line.from) ?? '';
  const isWithheld = !raw || raw === 'anonymous';
  const name = info?.contact?.name || (info?.outbound ? null : line.callerName) || null;
  return {
    name: name === raw ? null : name,
    number: isWithheld ? t('Withheld number') : formatPhoneNumber(raw),
  };
}

/** The other side in a few words: its name, else its number. */
export function partyName(line: Line, info: CallInfo | undefined): string {
  const { name, number } = partyOf(line, info);
  return name ?? number;
}

/** Who is calling or called, and on which of our numbers. `title` says what is going on. */
export function PartyHeader({
  line,
  info,
  title,
}: {
  line: Line;
  info: CallInfo | undefined;
  title: string;
}) {
  const { name, number } = partyOf(line, info);
  const ours = info?.number
    ? [info.number.label, formatPhoneNumber(info.number.number)].filter(Boolean).join(' · ')
    : null;
  return (
    <div className={css.who}>
      <PersonAvatar name={name} size={40} />
      <div className={css.names}>
        <div className={css.what}>{title}</div>
        <div className={css.name}>{name ?? number}</div>
        {name !== null && <div className={css.quiet}>{number}</div>}
        {ours !== null && (
          <div className={css.quiet}>
            {info?.outbound
              ? t('from {number}', { number: ours })
              : t('to {number}', { number: ours })}
          </div>
        )}
      </div>
    </div>
  );
}
