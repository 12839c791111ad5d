import { ActionIcon, Checkbox, Menu } from '@mantine/core';
import { IconColumns3, IconDots } from '@tabler/icons-react';
import type { numbers } from '#contract';
import { CountBadge, formatPhoneNumber, PhoneNumber, StatusBadge, t, Time, type Column } from '#ui';
import { categoryName, maySend, routingName, statusName, statusTone, verificationName } from './words.ts';
import css from './columns.module.css';

type Row = numbers.NumberRow;
const latest = (n: Row): string | null => [n.last_call_at, n.last_message_at].filter((at) => at !== null).sort().at(-1) ?? null;

/** The table's columns. The first stands always; the others can be hidden. */
export function numberColumns(act: { onTag: (tag: string) => void; menu: ((n: Row) => React.ReactNode) | null }): Column<Row>[] {
  return [
    { key: 'number', title: t('Number'), width: 'minmax(138px, 1fr)', sortable: true, cell: (n) => <span className={css.number}><PhoneNumber value={n.number} /><CountBadge count={n.unread_messages_count} label={t('{n} unread', { n: n.unread_messages_count })} /></span> },
    { key: 'label', title: t('Label'), width: 'minmax(72px, 1.4fr)', sortable: true, cell: (n) => n.label || <span className={css.quiet}>{t('No label')}</span> },
    { key: 'status', title: t('Status'), width: 'minmax(84px, 140px)', sortable: true, cell: (n) => <StatusBadge tone={statusTone(n.status)}>{statusName(n.status)}</StatusBadge> },
    { key: 'category', title: t('Type'), width: '80px', sortable: true, wideOnly: true, cell: (n) => categoryName(n.category) },
    { key: 'place', title: t('Place'), width: 'minmax(124px, 1.2fr)', wideOnly: true, cell: (n) => [n.city, n.region].filter(Boolean).join(', ') || <span className={css.quiet}>–</span> },
    { key: 'routingType', title: t('Calls'), width: 'minmax(110px, 1.2fr)', sortable: true, wideOnly: true, cell: (n) => <span className={css.two}><span>{routingName(n.routingType)}</span>{n.forwardNumber && <small>{n.forwardNumber.startsWith('+') ? formatPhoneNumber(n.forwardNumber) : n.forwardNumber}</small>}</span> },
    { key: 'texts', title: t('Texts'), width: '72px', wideOnly: true, cell: (n) => (!n.sms_enabled ? <span className={css.quiet}>{t('Off')}</span> : maySend(n) ? t('On') : <span title={verificationName(n.sms_verification.status)}>{t('Waiting')}</span>) },
    { key: 'tags', title: t('Tags'), width: 'minmax(72px, 1fr)', wideOnly: true, cell: (n) => <span className={css.tags}>{n.tags.map((tag) => <button key={tag.id} type="button" className={css.tag} aria-label={t('Show numbers tagged {tag}', { tag: tag.name })} onClick={() => act.onTag(tag.name)}>{tag.name}</button>)}</span> },
    { key: 'last_call_at', title: t('Last used'), width: '100px', sortable: true, wideOnly: true, cell: (n) => { const at = latest(n); return at ? <Time at={at} as="ago" /> : <span className={css.quiet}>{t('Never')}</span>; } },
    { key: 'purchased_at', title: t('Bought'), width: '116px', sortable: true, wideOnly: true, cell: (n) => <Time at={n.purchased_at} as="date" /> },
    ...(act.menu ? [{ key: 'menu', title: '', width: '40px', align: 'end' as const, wideOnly: true, cell: act.menu }] : []),
  ];
}
export const hiddenAtFirst = ['texts', 'purchased_at'];
const always = new Set(['number', 'menu']);

/** Which columns are shown; kept on this device. */
export function ColumnsMenu({ columns, hidden, onChange }: { columns: readonly Column<Row>[]; hidden: readonly string[]; onChange: (hidden: string[]) => void }) {
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target><ActionIcon variant="default" size={36} aria-label={t('Choose columns')}><IconColumns3 size={16} aria-hidden /></ActionIcon></Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Columns')}</Menu.Label>
        {columns.filter((c) => !always.has(c.key)).map((c) => {
          const shown = !hidden.includes(c.key);
          const toggle = (): void => onChange(shown ? [...hidden, c.key] : hidden.filter((key) => key !== c.key));
          return <Menu.Item key={c.key} role="menuitemcheckbox" aria-checked={shown} leftSection={<Checkbox size="xs" checked={shown} readOnly tabIndex={-1} aria-hidden />} onClick={toggle}>{c.title}</Menu.Item>;
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

export function RowMenu({ number, children }: { number: Row; children: React.ReactNode }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target><ActionIcon variant="subtle" color="gray" size={28} aria-label={t('Actions for {number}', { number: formatPhoneNumber(number.number) })}><IconDots size={16} aria-hidden /></ActionIcon></Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
