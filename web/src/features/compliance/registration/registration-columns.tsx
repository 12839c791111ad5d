import { StatusBadge, t, Time, type Column } from '#ui';
import { brandName, statusName, statusTone, caseName, type RegistrationView } from './labels.ts';

/** Columns of the list of registrations. */
export const registrationColumns = (): Column<RegistrationView>[] => [
  {
    key: 'brand',
    title: t('Brand'),
    sortable: true,
    width: 'minmax(120px, 1.4fr)',
    cell: brandName,
  },
  { key: 'use', title: t('Campaign'), width: 'minmax(110px, 1.2fr)', cell: caseName },
  {
    key: 'local',
    title: t('Local'),
    width: '132px',
    cell: (v) => <RegistrationState of={v.status.local} />,
  },
  {
    key: 'toll_free',
    title: t('Toll-free'),
    width: '132px',
    wideOnly: true,
    cell: (v) => <RegistrationState of={v.status.toll_free} />,
  },
  {
    key: 'numbers',
    title: t('Numbers'),
    width: '84px',
    align: 'end',
    wideOnly: true,
    cell: (v) => String(v.campaign.numbers.length),
  },
  {
    key: 'updated_at',
    title: t('Changed'),
    width: '110px',
    sortable: true,
    wideOnly: true,
    cell: (v) => <Time at={v.updated_at} as="ago" />,
  },
];

function RegistrationState({ of: status }: { of: RegistrationView['status']['local'] }) {
  if (status === null) return <span>–</span>;
  return <StatusBadge tone={statusTone(status)}>{statusName(status)}</StatusBadge>;
}
